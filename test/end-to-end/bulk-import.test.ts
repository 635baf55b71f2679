import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Api, entityPath, eventually, postBatch } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sizeOf } from '../tiers.ts';

const AT_ONCE = 250;
const NAMES = ['a', 'b', 'c', 'd', 'e'].map((letter) => `com.example.bulk.${letter}`);
const urnOf = (name: string) => `urn:li:structuredProperty:${name}`;

await onEachDeployment((newDeployment, { embedded }) => {
  /** With five assignments each; a soak run asks for more. */
  const DATASETS = sizeOf('PROPLANE_BULK_DATASETS', { quick: 3_000, long: embedded ? 10_000 : 300 });
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({ deployment });
    api = new Api(proplane.url);
    for (const name of NAMES) {
      const definition = { qualifiedName: name, valueType: 'number', entityTypes: ['dataset'] };
      await api.post(entityPath('v3', urnOf(name), 'propertyDefinition'), definition);
    }
  }, 180_000);

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  function item(index: number): object {
    const properties = NAMES.map((name, at) => ({
      propertyUrn: urnOf(name),
      values: [{ double: (index + at) % 100 }],
    }));
    return {
      urn: `urn:li:dataset:(urn:li:dataPlatform:hive,bulk.t${index},PROD)`,
      status: { value: { removed: false } },
      structuredProperties: { value: { properties } },
    };
  }

  /** Seconds in which a backend was at work. */
  async function busySeconds(backend: string): Promise<number> {
    const { body } = await api.get('/metrics');
    return Number(new RegExp(`^proplane_backend_busy_seconds\\{backend="${backend}"\\} (\\S+)$`, 'mu').exec(body)?.[1]);
  }

  it(
    `takes ${DATASETS} datasets in batches, and has all of them searchable`,
    async () => {
      const begin = performance.now();
      const before = [await busySeconds('store'), await busySeconds('search')];
      for (let first = 0; first < DATASETS; first += AT_ONCE) {
        const items = Array.from({ length: Math.min(AT_ONCE, DATASETS - first) }, (_, offset) => item(first + offset));
        await postBatch(api, 'dataset', items);
      }
      const stored = (performance.now() - begin) / 1000;
      await eventually(
        async () => {
          const query = encodeURIComponent('_exists_:structuredProperties.com_example_bulk_e');
          expect((await api.get(`/openapi/v3/entity/dataset?count=0&query=${query}`)).body.totalCount).toBe(DATASETS);
        },
        60_000 + DATASETS * 20,
      );
      const seconds = (performance.now() - begin) / 1000;
      const shares = [await busySeconds('store'), await busySeconds('search')].map((busy, at) =>
        ((busy - (before[at] ?? 0)) / seconds).toFixed(2),
      );
      // Figures for docs/performance.md.
      const rates = `${Math.round(DATASETS / stored)} stored a second, ${Math.round(DATASETS / seconds)} searchable a second`;
      const busy = deployment.embedded
        ? ''
        : `; share of the time with the store at work ${shares[0]}, the search engine ${shares[1]}`;
      process.stderr.write(`bulk import of ${DATASETS} datasets: ${rates}${busy}\n`);
    },
    60_000 + DATASETS * 40,
  );
});
