import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from './api.ts';
import { sharedProplane } from './shared-proplane.ts';

export interface ExampleCatalogue {
  /** `http://host:port` of the frontend. */
  readonly frontend: string;
  /** The API server behind it. */
  readonly api: Api;
}

/** The whole product over the examples, with authentication off, that the tests of pages share; all of it reconciled. */
export async function exampleCatalogue(): Promise<ExampleCatalogue> {
  const { address, frontend } = await sharedProplane('examples', {
    MANIFESTS: 'examples/resources/**/*.yaml',
    CATALOGUE: 'examples/catalogue.yaml',
  });
  const api = new Api(address);
  let left: unknown = 'nothing was asked';
  for (let attempt = 0; attempt < 600; attempt++) {
    const { body } = await api.get('/resources');
    const resources: readonly Reported[] = body?.resources ?? [];
    left = resources.filter((resource) => !isReady(resource)).map(({ name }) => name);
    if (resources.length > 0 && Array.isArray(left) && left.length === 0) return { frontend, api };
    await sleep(100);
  }
  throw new Error(`the examples are not reconciled: ${JSON.stringify(left)}`);
}

interface Reported {
  readonly name: string;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function isReady({ status }: Reported): boolean {
  return status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') === true;
}
