import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, addProperty, entityPath } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

const WRITERS = 16;
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,crowded,PROD)';
const property = (writer: number) => `urn:li:structuredProperty:com.example.writer${writer}`;

await onEachDeployment((newDeployment, { embedded }) => {
  /** How often each writer writes, at most. */
  const rounds = embedded ? 40 : 12;
  let deployment: Deployment;
  let processes: ProplaneProcess[] = [];
  beforeAll(async () => {
    deployment = await newDeployment();
    const count = embedded ? 1 : 2;
    processes = [];
    for (let index = 0; index < count; index++)
      processes.push(await ProplaneProcess.start({ deployment, role: 'api-server' }));
    const api = apiOf(0);
    await api.post(entityPath('v3', DATASET, 'status'), { removed: false });
    for (let writer = 0; writer < WRITERS; writer++) {
      const definition = {
        qualifiedName: property(writer).split(':')[3],
        valueType: 'number',
        entityTypes: ['dataset'],
      };
      const { status } = await api.post(entityPath('v3', property(writer), 'propertyDefinition'), definition);
      expect(status).toBe(200);
    }
  });
  afterAll(async () => {
    for (const proplane of processes) await proplane.kill();
    await deployment?.remove();
  });

  const apiOf = (index: number) => new Api(processes[index % processes.length]!.url);

  /** Each writer goes on until one of them is done. @returns how often each has written, and what was not taken. */
  async function race(apis: readonly Api[]): Promise<{ written: number[]; refused: unknown[] }> {
    const written = apis.map(() => 0);
    const refused: unknown[] = [];
    let isOver = false;
    await Promise.all(
      apis.map(async (api, writer) => {
        const path = entityPath('v3', DATASET, 'structuredProperties');
        while (!isOver) {
          const value = addProperty(property(writer), [{ double: written[writer]! }]);
          const { status, body } = await api.patch(path, value);
          if (status === 200) written[writer]! += 1;
          else refused.push([status, body]);
          if (written[writer]! >= rounds || refused.length > 0) isOver = true;
        }
      }),
    );
    return { written, refused };
  }

  describe(`${WRITERS} writers of one entity`, () => {
    it('take turns: while one has written so often, each other has written nearly as often', async () => {
      const { written, refused } = await race(Array.from({ length: WRITERS }, () => apiOf(0)));
      expect(refused).toEqual([]);
      expect(Math.max(...written) - Math.min(...written)).toBeLessThanOrEqual(3);
    });

    if (!embedded) {
      it('all get on when they ask two servers', async () => {
        const { written, refused } = await race(Array.from({ length: WRITERS }, (_, writer) => apiOf(writer)));
        expect(refused).toEqual([]);
        expect(Math.min(...written)).toBeGreaterThan(0);
      });
    }

    it('lose nothing', async () => {
      const { body } = await apiOf(0).get(entityPath('v3', DATASET, 'structuredProperties'));
      expect(body.structuredProperties.value.properties).toHaveLength(WRITERS);
    });
  });
});
