import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { addProperty, entityPath, eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { conditionOf, KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import type { OperatorProcess } from '../../harness/kubernetes/operator-process.ts';
import {
  datasetUrn,
  definitionOf,
  isRemoved,
  numberOn,
  numberProperty,
  ownersOf,
  propertyUrn,
  valuesOn,
} from '../../harness/kubernetes/wishes.ts';

const WITH_FINALIZER = JSON.stringify([{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/backup' }]);

await describeWithCluster(
  'a deletion on a cluster',
  (cluster) => {
    let bench: KubeBench;
    let operator: OperatorProcess;

    beforeAll(async () => {
      bench = await KubeBench.create(cluster, { environment: { REQUEST_TIMEOUT_S: '2' } });
      operator = await bench.operate();
    }, 1_800_000);

    afterAll(async () => {
      await bench?.close();
    }, 120_000);

    const values = (name: string) => valuesOn(bench.api, datasetUrn(name));

    /** A property and a dataset that holds 30 of it, both of the same name. */
    async function inPlace(name: string, property: object = {}, dataset: object = {}): Promise<void> {
      await bench.kubectl.apply(numberProperty(name, property), numberOn(name, name, 30, dataset));
      await bench.reason('DatasetProperties', name, 'Applied');
      await bench.reason('StructuredProperty', name, 'Applied');
    }

    const remove = (kind: 'sprop' | 'dprop', name: string) =>
      bench.kubectl.run('delete', kind, name, '--timeout=60s', '--wait');

    describe('of a property', () => {
      it('with HardDelete removes the definition, every value, and the owner marks', async () => {
        await inPlace('hard');
        const other = datasetUrn('hard-by-hand');
        const path = `${entityPath('v3', other, 'structuredProperties')}?createIfEntityNotExists=true`;
        expect((await bench.api.patch(path, addProperty(propertyUrn('e2e.hard'), [{ double: 7 }]))).status).toBe(200);
        await remove('sprop', 'hard');
        expect(await definitionOf(bench.api, 'hard')).toBeUndefined();
        expect([await values('hard'), await values('hard-by-hand')]).toEqual([{}, {}]);
        expect(await ownersOf(bench.api, 'name=hard&kind=StructuredProperty')).toEqual([]);
        await bench.reason('DatasetProperties', 'hard', 'ReferenceNotFound');
      });

      it('with SoftDelete hides it, and a new resource brings it back with its values', async () => {
        await inPlace('soft', { deletionPolicy: 'SoftDelete' });
        await remove('sprop', 'soft');
        expect([await isRemoved(bench.api, 'soft'), await values('soft')]).toEqual([true, {}]);
        expect(await ownersOf(bench.api, `urn=${propertyUrn('e2e.soft')}`)).toEqual([]);
        await bench.kubectl.apply(numberProperty('soft', { deletionPolicy: 'SoftDelete' }));
        await bench.reason('StructuredProperty', 'soft', 'Applied');
        expect([await isRemoved(bench.api, 'soft'), await values('soft')]).toEqual([false, { 'e2e.soft': [30] }]);
      });

      it('with Retain leaves it to nobody, with its values', async () => {
        await inPlace('kept', { deletionPolicy: 'Retain' });
        await remove('sprop', 'kept');
        expect(await definitionOf(bench.api, 'kept')).toBeDefined();
        expect(await values('kept')).toEqual({ 'e2e.kept': [30] });
        expect(await ownersOf(bench.api, `urn=${propertyUrn('e2e.kept')}`)).toEqual([]);
      });

      it('is not undone by what is applied meanwhile, and leaves the name free for another type', async () => {
        await inPlace('again');
        await bench.kubectl.run('patch', 'sprop/again', '--type=json', `--patch=${WITH_FINALIZER}`);
        await bench.kubectl.run('delete', 'sprop/again', '--wait=false');
        await bench.reason('StructuredProperty', 'again', 'FinalizersAwaited');
        await expect(bench.kubectl.apply(numberProperty('again', { valueType: 'string' }))).rejects.toThrow('version');
        await bench.kubectl.apply(numberProperty('again', { displayName: 'Changed' }));
        const found = await bench.reason('StructuredProperty', 'again', 'FinalizersAwaited');
        expect(found.metadata.deletionTimestamp).toBeDefined();
        await bench.kubectl.run('patch', 'sprop/again', '--type=json', `--patch=${withoutFinalizer(1)}`);
        await bench.gone('StructuredProperty', 'again');
        await bench.kubectl.apply(numberProperty('again', { valueType: 'string' }));
        await bench.reason('StructuredProperty', 'again', 'Applied');
        expect(await values('again')).toEqual({});
        await bench.reason('DatasetProperties', 'again', 'InvalidValue');
        await bench.kubectl.apply(numberOn('again', 'again', 'thirty'));
        await bench.reason('DatasetProperties', 'again', 'Applied');
        expect(await values('again')).toEqual({ 'e2e.again': ['thirty'] });
      });

      it('in the foreground waits for what belongs to it', async () => {
        await inPlace('tree');
        const { metadata } = await bench.read('StructuredProperty', 'tree');
        await bench.kubectl.apply({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'leaf',
            finalizers: ['example.com/backup'],
            ownerReferences: [
              {
                apiVersion: 'catalog.proplane.dev/v1alpha1',
                kind: 'StructuredProperty',
                name: 'tree',
                uid: metadata.uid,
                blockOwnerDeletion: true,
              },
            ],
          },
        });
        await bench.kubectl.run('delete', 'sprop/tree', '--cascade=foreground', '--wait=false');
        const waiting = await bench.reason('StructuredProperty', 'tree', 'FinalizersAwaited');
        expect(conditionOf(waiting, 'Ready').message).toContain('foregroundDeletion');
        await eventually(async () => {
          const leaf = await bench.kubectl.json('get', 'configmap', 'leaf');
          expect(leaf.metadata.deletionTimestamp).toBeDefined();
        });
        expect(await values('tree')).toEqual({ 'e2e.tree': [30] });
        await bench.kubectl.run('patch', 'configmap/leaf', '--type=json', `--patch=${withoutFinalizer(0)}`);
        await bench.gone('StructuredProperty', 'tree');
        expect(await definitionOf(bench.api, 'tree')).toBeUndefined();
        expect(await values('tree')).toEqual({});
      }, 120_000);

      it('in the foreground ends at once when nothing belongs to it', async () => {
        await inPlace('bare');
        await bench.kubectl.run('delete', 'sprop/bare', 'dprop/bare', '--cascade=foreground', '--timeout=60s');
        expect(await definitionOf(bench.api, 'bare')).toBeUndefined();
        expect(await values('bare')).toEqual({});
      });
    });

    describe('of values', () => {
      const onField = {
        fields: [{ fieldPath: 'email', properties: [{ propertyRef: { name: 'field' }, values: [5] }] }],
      };
      const field = (name: string) => `urn:li:schemaField:(${datasetUrn(name)},email)`;

      it.each([
        ['Remove', {}, {}],
        ['Retain', { 'e2e.field': [30] }, { 'e2e.field': [5] }],
      ])('follows the policy %s, on datasets and on fields', async (deletionPolicy, onDataset, onItsField) => {
        const name = deletionPolicy.toLowerCase();
        await bench.kubectl.apply(
          numberProperty('field', { entityTypes: ['dataset', 'schemaField'] }),
          numberOn(name, 'field', 30, { deletionPolicy, ...onField }),
        );
        await bench.reason('DatasetProperties', name, 'Applied');
        await remove('dprop', name);
        expect(await values(name)).toEqual(onDataset);
        expect(await valuesOn(bench.api, field(name))).toEqual(onItsField);
        expect(await ownersOf(bench.api, `urn=${datasetUrn(name)}`)).toEqual([]);
        expect((await bench.api.get(entityPath('v3', datasetUrn(name)))).status).toBe(200);
      });

      it('does not need the property that they refer to', async () => {
        await inPlace('first', { deletionPolicy: 'Retain' });
        await inPlace('first-hard');
        await remove('sprop', 'first');
        await remove('sprop', 'first-hard');
        await bench.reason('DatasetProperties', 'first', 'ReferenceNotFound');
        await remove('dprop', 'first');
        await remove('dprop', 'first-hard');
        expect([await values('first'), await values('first-hard')]).toEqual([{}, {}]);
        expect(await ownersOf(bench.api, 'kind=DatasetProperties&name=first')).toEqual([]);
      });

      it('does not need the dataset that they are on', async () => {
        await inPlace('vanished');
        expect((await bench.api.delete(entityPath('v3', datasetUrn('vanished')))).status).toBe(200);
        await remove('dprop', 'vanished');
        expect(await ownersOf(bench.api, 'kind=DatasetProperties&name=vanished')).toEqual([]);
      });
    });

    describe('of what never owned anything', () => {
      it('ends at once for a resource that was never valid', async () => {
        await bench.kubectl.apply(numberProperty('narrow', { allowedValues: [{ value: 1 }] }));
        await bench.kubectl.apply(numberOn('broken', 'narrow', 2));
        const found = await bench.reason('DatasetProperties', 'broken', 'InvalidValue');
        expect(found.metadata.finalizers).toBeUndefined();
        await remove('dprop', 'broken');
      });

      it('ends for a resource that the server has refused, and leaves alone what was in its way', async () => {
        await bench.kubectl.apply(numberProperty('search.name'));
        await bench.reason('StructuredProperty', 'search.name', 'Applied');
        await bench.kubectl.apply(numberProperty('search-name', { qualifiedName: 'e2e.search_name' }));
        const refused = await bench.reason('StructuredProperty', 'search-name', 'Rejected');
        expect(conditionOf(refused, 'Ready').message).toContain('e2e.search.name');
        await remove('sprop', 'search-name');
        expect(await definitionOf(bench.api, 'search.name')).toBeDefined();
        await bench.reason('StructuredProperty', 'search.name', 'Applied');
      });
    });

    it('waits for an API server that is away, and ends when it is back', async () => {
      await inPlace('patient');
      await bench.server.kill();
      const heard = operator.output.split('ServerLost').length;
      await bench.kubectl.run('delete', 'sprop/patient', 'dprop/patient', '--wait=false');
      await eventually(async () => expect(operator.output.split('ServerLost').length).toBeGreaterThan(heard));
      for (const kind of ['StructuredProperty', 'DatasetProperties'] as const) {
        const { metadata } = await bench.read(kind, 'patient');
        expect(metadata.finalizers).toEqual([FINALIZER]);
        expect(metadata.deletionTimestamp).toBeDefined();
      }
      await bench.restartServer();
      await bench.gone('StructuredProperty', 'patient');
      await bench.gone('DatasetProperties', 'patient');
      expect(await definitionOf(bench.api, 'patient')).toBeUndefined();
      expect(await values('patient')).toEqual({});
    });
  },
  { controllers: true },
);

function withoutFinalizer(index: number): string {
  return JSON.stringify([{ op: 'remove', path: `/metadata/finalizers/${index}` }]);
}
