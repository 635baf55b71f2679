import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAX_DOCUMENT, MAX_TOKENS } from '../../api-server/graphql/limits.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { expectUndisturbed, Siege } from '../harness/under-attack.ts';
import { sizeOf } from '../tiers.ts';

const DOCUMENTS = sizeOf('PROPLANE_LARGE_DOCUMENTS', { quick: 100, long: 250 });

/** GraphQL documents as large as they may be, each another: what is kept of them is bounded. No backend is asked. */
let deployment: Deployment;
let siege: Siege;

beforeAll(async () => {
  deployment = await embeddedDeployment();
  siege = await Siege.lay(deployment);
});

afterAll(async () => {
  await siege?.lift();
  await deployment?.remove();
});

/** Of one field so often that it has nearly as many tokens as it may; right ones are kept, wrong ones are refused. */
const large = (field: string, index: number) => {
  const times = Math.min(MAX_TOKENS - 10, Math.floor((MAX_DOCUMENT - 100) / (field.length + 1)));
  return `{ ${`${field} `.repeat(times)} } #${index}`;
};

it.each([
  ['right', '__typename'],
  ['wrong', 'nothing'],
])('many large documents that are %s disturb nobody', async (_what, field) => {
  const seen = await siege.during(async (api) => {
    for (let index = 0; index < DOCUMENTS; index += 1) {
      const { status } = await api.post('/api/graphql', { query: large(field, index) });
      expect([200, 400]).toContain(status);
    }
  });
  expectUndisturbed(seen);
});
