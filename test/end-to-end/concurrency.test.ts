import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Api, addProperty, entityPath, eventually, untilTaken } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

const CLIENTS = 50;
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)';
const property = (index: number) => `urn:li:structuredProperty:com.example.concurrent.p${index}`;

await onEachDeployment((newDeployment, { embedded }) => {
  /** The MongoDB-wire server of the tests may be too slow for so many at once; our own store is not. */
  const taken = (send: () => Promise<Answer>): Promise<Answer> => (embedded ? send() : untilTaken(send));

  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({ deployment });
    api = new Api(proplane.url);
    await api.post(entityPath('v3', DATASET, 'status'), { removed: false });
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  const clients = Array.from({ length: CLIENTS }, (_, index) => index);

  describe('many clients at once', () => {
    it('define different properties: all are accepted', async () => {
      const answers = await Promise.all(
        clients.map((index) =>
          taken(() =>
            api.post(entityPath('v3', property(index), 'propertyDefinition'), {
              qualifiedName: `com.example.concurrent.p${index}`,
              valueType: 'number',
              entityTypes: ['dataset'],
            }),
          ),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
    });

    it('patch different properties of one dataset: each is answered 200 and all values are there', async () => {
      const path = entityPath('v3', DATASET, 'structuredProperties');
      const answers = await Promise.all(
        clients.map((index) => taken(() => api.patch(path, addProperty(property(index), [{ double: index }])))),
      );
      expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
      const { body } = await api.get(path);
      const values = new Map(
        body.structuredProperties.value.properties.map((each: { propertyUrn: string; values: object[] }) => [
          each.propertyUrn,
          each.values,
        ]),
      );
      expect(values).toEqual(new Map(clients.map((index) => [property(index), [{ double: index }]])));
      for (const index of clients) {
        const query = `structuredProperties.com_example_concurrent_p${index}:${index}`;
        await eventually(async () => {
          const found = await api.get(`/openapi/v3/entity/dataset?query=${encodeURIComponent(query)}`);
          expect(found.body.totalCount).toBe(1);
        });
      }
    });

    it('claim names that share a search name: one wins, the others are told who', async () => {
      const names = ['x.y.z', 'x_y.z', 'x.y_z', 'x_y_z'];
      const answers = await Promise.all(
        names.map((name) =>
          api.post(entityPath('v3', `urn:li:structuredProperty:${name}`, 'propertyDefinition'), {
            qualifiedName: name,
            valueType: 'string',
            entityTypes: ['dataset'],
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers) {
        if (status !== 200)
          expect(body.message).toContain('collides with existing property urn:li:structuredProperty:');
      }
    });
  });
});
