import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ResourceKind } from '../../../model/resource/identity.ts';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { addProperty, entityPath, eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { conditionOf, KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import type { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import type { OperatorProcess } from '../../harness/kubernetes/operator-process.ts';
import { datasetUrn, numberOn, numberProperty, propertyUrn, valuesOn } from '../../harness/kubernetes/wishes.ts';

const WITH_FINALIZER = JSON.stringify([{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/backup' }]);

await describeWithCluster(
  'a deletion on a cluster',
  (cluster) => {
    let bench: KubeBench;
    let operator: OperatorProcess;
    /** In two namespaces of which the first goes first when two resources are of the same age. */
    let older: { readonly name: string; readonly kubectl: Kubectl };
    let newer: { readonly name: string; readonly kubectl: Kubectl };
    let doomed: { readonly name: string; readonly kubectl: Kubectl };

    beforeAll(async () => {
      bench = await KubeBench.create(cluster, { environment: { REQUEST_TIMEOUT_S: '2' } });
      const two = [await bench.anotherNamespace(), await bench.anotherNamespace()];
      [older, newer] = two.sort((one, other) => (one.name < other.name ? -1 : 1)) as [typeof older, typeof newer];
      doomed = await bench.anotherNamespace();
      const namespaces = [bench.namespace, older.name, newer.name, doomed.name];
      operator = await bench.operate({ environment: { WATCH_NAMESPACES: namespaces.join(',') } });
    }, 1_800_000);

    afterAll(async () => {
      await bench?.close();
    }, 120_000);

    // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
    async function readIn(kubectl: Kubectl, kind: ResourceKind, name: string): Promise<any> {
      return (await kubectl.json('get', kind, `--field-selector=metadata.name=${name}`)).items[0];
    }

    // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
    async function reasonIn(kubectl: Kubectl, kind: ResourceKind, name: string, reason: string): Promise<any> {
      return await eventually(async () => {
        const object = await readIn(kubectl, kind, name);
        const ready = conditionOf(object, 'Ready');
        if (ready?.reason !== reason) throw new Error(`${kind} ${name}: ${JSON.stringify(object)}\n${operator.output}`);
        return object;
      });
    }

    const values = (name: string) => valuesOn(bench.api, datasetUrn(name));

    async function definitionOf(name: string): Promise<{ displayName?: string } | undefined> {
      const { body } = await bench.api.get(entityPath('v3', propertyUrn(`e2e.${name}`)));
      return body.propertyDefinition?.value;
    }

    async function isRemoved(name: string): Promise<boolean | undefined> {
      const { body } = await bench.api.get(entityPath('v3', propertyUrn(`e2e.${name}`)));
      return body.status?.value.removed;
    }

    async function ownersOf(query: string): Promise<{ kind: string; namespace: string; name: string }[]> {
      return (await bench.api.get(`/owners?${query}`)).body.owners;
    }

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
        expect(await definitionOf('hard')).toBeUndefined();
        expect([await values('hard'), await values('hard-by-hand')]).toEqual([{}, {}]);
        expect(await ownersOf('name=hard&kind=StructuredProperty')).toEqual([]);
        await bench.reason('DatasetProperties', 'hard', 'ReferenceNotFound');
      });

      it('with SoftDelete hides it, and a new resource brings it back with its values', async () => {
        await inPlace('soft', { deletionPolicy: 'SoftDelete' });
        await remove('sprop', 'soft');
        expect([await isRemoved('soft'), await values('soft')]).toEqual([true, {}]);
        expect(await ownersOf(`urn=${propertyUrn('e2e.soft')}`)).toEqual([]);
        await bench.kubectl.apply(numberProperty('soft', { deletionPolicy: 'SoftDelete' }));
        await bench.reason('StructuredProperty', 'soft', 'Applied');
        expect([await isRemoved('soft'), await values('soft')]).toEqual([false, { 'e2e.soft': [30] }]);
      });

      it('with Retain leaves it to nobody, with its values', async () => {
        await inPlace('kept', { deletionPolicy: 'Retain' });
        await remove('sprop', 'kept');
        expect(await definitionOf('kept')).toBeDefined();
        expect(await values('kept')).toEqual({ 'e2e.kept': [30] });
        expect(await ownersOf(`urn=${propertyUrn('e2e.kept')}`)).toEqual([]);
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
        expect(await definitionOf('tree')).toBeUndefined();
        expect(await values('tree')).toEqual({});
      }, 120_000);

      it('in the foreground ends at once when nothing belongs to it', async () => {
        await inPlace('bare');
        await bench.kubectl.run('delete', 'sprop/bare', 'dprop/bare', '--cascade=foreground', '--timeout=60s');
        expect(await definitionOf('bare')).toBeUndefined();
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
        expect(await ownersOf(`urn=${datasetUrn(name)}`)).toEqual([]);
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
        expect(await ownersOf('kind=DatasetProperties&name=first')).toEqual([]);
      });

      it('does not need the dataset that they are on', async () => {
        await inPlace('vanished');
        expect((await bench.api.delete(entityPath('v3', datasetUrn('vanished')))).status).toBe(200);
        await remove('dprop', 'vanished');
        expect(await ownersOf('kind=DatasetProperties&name=vanished')).toEqual([]);
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
        expect(await definitionOf('search.name')).toBeDefined();
        await bench.reason('StructuredProperty', 'search.name', 'Applied');
      });

      it('ends at once for a resource in conflict, and the definition stays as its owner wants it', async () => {
        await older.kubectl.apply(numberProperty('claimed', { displayName: 'Older' }));
        await reasonIn(older.kubectl, 'StructuredProperty', 'claimed', 'Applied');
        await newer.kubectl.apply(numberProperty('claimed', { displayName: 'Newer' }));
        const found = await reasonIn(newer.kubectl, 'StructuredProperty', 'claimed', 'Conflict');
        expect(found.metadata.finalizers).toBeUndefined();
        expect(conditionOf(found, 'Stalled').status).toBe('True');
        expect(conditionOf(found, 'Ready').message).toContain(`StructuredProperty ${older.name}/claimed`);
        await newer.kubectl.run('delete', 'sprop/claimed', '--timeout=30s');
        expect((await definitionOf('claimed'))?.displayName).toBe('Older');
        expect(await ownersOf(`urn=${propertyUrn('e2e.claimed')}`)).toMatchObject([{ namespace: older.name }]);
        await reasonIn(older.kubectl, 'StructuredProperty', 'claimed', 'Applied');
      });
    });

    it('of the older of two resources hands the property over to the newer one, with all its values', async () => {
      await older.kubectl.apply(
        numberProperty('heritage', { displayName: 'Older' }),
        numberOn('heritage', '', 30, {
          properties: [{ propertyRef: { qualifiedName: 'e2e.heritage' }, values: [30] }],
        }),
      );
      await reasonIn(older.kubectl, 'DatasetProperties', 'heritage', 'Applied');
      await newer.kubectl.apply(numberProperty('heritage', { displayName: 'Newer' }));
      await reasonIn(newer.kubectl, 'StructuredProperty', 'heritage', 'Conflict');
      const other = datasetUrn('heritage-by-hand');
      const path = `${entityPath('v3', other, 'structuredProperties')}?createIfEntityNotExists=true`;
      expect((await bench.api.patch(path, addProperty(propertyUrn('e2e.heritage'), [{ double: 7 }]))).status).toBe(200);
      await older.kubectl.run('delete', 'sprop/heritage', '--timeout=30s');
      const heir = await reasonIn(newer.kubectl, 'StructuredProperty', 'heritage', 'Applied');
      expect(heir.metadata.finalizers).toEqual([FINALIZER]);
      expect((await definitionOf('heritage'))?.displayName).toBe('Newer');
      expect(await ownersOf(`urn=${propertyUrn('e2e.heritage')}`)).toMatchObject([{ namespace: newer.name }]);
      expect(await values('heritage')).toEqual({ 'e2e.heritage': [30] });
      expect(await values('heritage-by-hand')).toEqual({ 'e2e.heritage': [7] });
    });

    it('of an owner and its heir, one shortly after the other, leaves nothing behind', async () => {
      const delays = [0, 10, 20, 30, 45, 60, 80];
      const names = delays.map((ms) => `both-${ms}`);
      const number = (name: string) => numberProperty(name);
      await older.kubectl.apply(...names.map(number));
      for (const name of names) await reasonIn(older.kubectl, 'StructuredProperty', name, 'Applied');
      await newer.kubectl.apply(...names.map(number));
      for (const name of names) await reasonIn(newer.kubectl, 'StructuredProperty', name, 'Conflict');
      for (const [index, ms] of delays.entries()) {
        const gone = (kubectl: Kubectl) => kubectl.run('delete', 'sprop', names[index]!, '--timeout=30s');
        const later = sleep(ms).then(() => gone(newer.kubectl));
        await Promise.all([gone(older.kubectl), later]);
        expect([ms, await definitionOf(names[index]!)]).toEqual([ms, undefined]);
        expect(await ownersOf(`urn=${propertyUrn(`e2e.${names[index]}`)}`)).toEqual([]);
      }
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
      expect(await definitionOf('patient')).toBeUndefined();
      expect(await values('patient')).toEqual({});
    });

    describe('of everything', () => {
      /** Both kinds, that refer to each other within the namespace and across it, in all policies and states. */
      async function fill({ name: namespace, kubectl }: typeof doomed, prefix: string): Promise<void> {
        const policies = ['HardDelete', 'SoftDelete', 'Retain'];
        const names = Array.from({ length: 12 }, (_, index) => `${prefix}-${index}`);
        const property = (name: string, index: number) =>
          numberProperty(name, {
            qualifiedName: `e2e.${name}`,
            deletionPolicy: policies[index % 3],
            removed: index === 4,
          });
        const dataset = (name: string, index: number) =>
          numberOn(name, '', index, {
            properties: [names[index]!, names[(index + 3) % names.length]!].map((reference) => ({
              propertyRef: { name: reference },
              values: [index],
            })),
            deletionPolicy: index % 4 === 3 ? 'Retain' : 'Remove',
            whenMissing: index === 5 ? 'Wait' : 'Create',
          });
        await kubectl.apply(
          ...names.map(property),
          ...names.map(dataset),
          numberProperty(`${prefix}-rival`, { qualifiedName: `e2e.${prefix}-0` }),
          numberOn(`${prefix}-lost`, 'nowhere', 1),
        );
        await bench.kubectl.apply(
          numberOn(`${prefix}-outside`, '', 1, {
            properties: [{ propertyRef: { namespace, name: `${prefix}-0` }, values: [1] }],
          }),
        );
        for (const name of [names[0]!, names[11]!]) await reasonIn(kubectl, 'DatasetProperties', name, 'Applied');
        await bench.reason('DatasetProperties', `${prefix}-outside`, 'Applied');
      }

      async function nothingRemains(namespace: string, prefix: string): Promise<void> {
        expect(await ownersOf(`namespace=${namespace}`)).toEqual([]);
        const states = [definitionOf(`${prefix}-0`), isRemoved(`${prefix}-1`), definitionOf(`${prefix}-2`)];
        expect(await Promise.all(states)).toMatchObject([undefined, true, {}]);
        const lost = await bench.reason('DatasetProperties', `${prefix}-outside`, 'ReferenceNotFound');
        expect(lost.metadata.deletionTimestamp).toBeUndefined();
        expect(await values(`${prefix}-outside`)).toEqual({});
      }

      it.each([
        ['properties before values', ['sprop', 'dprop']],
        ['values before properties', ['dprop', 'sprop']],
      ])(
        'in a namespace ends: %s',
        async (title, kinds) => {
          const prefix = title.slice(0, title.indexOf(' '));
          await fill(doomed, prefix);
          for (const kind of kinds) await doomed.kubectl.run('delete', kind, '--all', '--wait=false');
          await doomed.kubectl.run('wait', '--for=delete', 'sprop,dprop', '--all', '--timeout=100s');
          await nothingRemains(doomed.name, prefix);
        },
        180_000,
      );

      it('ends with the namespace', async () => {
        await fill(doomed, 'space');
        await doomed.kubectl.run('delete', 'namespace', doomed.name, '--timeout=110s');
        await nothingRemains(doomed.name, 'space');
      }, 180_000);
    });
  },
  { controllers: true },
);

function withoutFinalizer(index: number): string {
  return JSON.stringify([{ op: 'remove', path: `/metadata/finalizers/${index}` }]);
}
