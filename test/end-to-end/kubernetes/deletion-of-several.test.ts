import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { addProperty, entityPath } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { conditionOf, KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import type { Kubectl } from '../../harness/kubernetes/kubectl.ts';
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

await describeWithCluster(
  'a deletion of resources that want the same, or of many',
  (cluster) => {
    let bench: KubeBench;
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
      await bench.operate({ environment: { WATCH_NAMESPACES: namespaces.join(',') } });
    }, 1_800_000);

    afterAll(async () => {
      await bench?.close();
    }, 120_000);

    const values = (name: string) => valuesOn(bench.api, datasetUrn(name));

    it('ends at once for a resource in conflict, and the definition stays as its owner wants it', async () => {
      await older.kubectl.apply(numberProperty('claimed', { displayName: 'Older' }));
      await bench.reason('StructuredProperty', 'claimed', 'Applied', older.name);
      await newer.kubectl.apply(numberProperty('claimed', { displayName: 'Newer' }));
      const found = await bench.reason('StructuredProperty', 'claimed', 'Conflict', newer.name);
      expect(found.metadata.finalizers).toBeUndefined();
      expect(conditionOf(found, 'Stalled').status).toBe('True');
      expect(conditionOf(found, 'Ready').message).toContain(`StructuredProperty ${older.name}/claimed`);
      await newer.kubectl.run('delete', 'sprop/claimed', '--timeout=30s');
      expect((await definitionOf(bench.api, 'claimed'))?.displayName).toBe('Older');
      expect(await ownersOf(bench.api, `urn=${propertyUrn('e2e.claimed')}`)).toMatchObject([{ namespace: older.name }]);
      await bench.reason('StructuredProperty', 'claimed', 'Applied', older.name);
    });

    it('of the older of two resources hands the property over to the newer one, with all its values', async () => {
      await older.kubectl.apply(
        numberProperty('heritage', { displayName: 'Older' }),
        numberOn('heritage', '', 30, {
          properties: [{ propertyRef: { qualifiedName: 'e2e.heritage' }, values: [30] }],
        }),
      );
      await bench.reason('DatasetProperties', 'heritage', 'Applied', older.name);
      await newer.kubectl.apply(numberProperty('heritage', { displayName: 'Newer' }));
      await bench.reason('StructuredProperty', 'heritage', 'Conflict', newer.name);
      const other = datasetUrn('heritage-by-hand');
      const path = `${entityPath('v3', other, 'structuredProperties')}?createIfEntityNotExists=true`;
      expect((await bench.api.patch(path, addProperty(propertyUrn('e2e.heritage'), [{ double: 7 }]))).status).toBe(200);
      await older.kubectl.run('delete', 'sprop/heritage', '--timeout=30s');
      const heir = await bench.reason('StructuredProperty', 'heritage', 'Applied', newer.name);
      expect(heir.metadata.finalizers).toEqual([FINALIZER]);
      expect((await definitionOf(bench.api, 'heritage'))?.displayName).toBe('Newer');
      expect(await ownersOf(bench.api, `urn=${propertyUrn('e2e.heritage')}`)).toMatchObject([
        { namespace: newer.name },
      ]);
      expect(await values('heritage')).toEqual({ 'e2e.heritage': [30] });
      expect(await values('heritage-by-hand')).toEqual({ 'e2e.heritage': [7] });
    });

    it('of an owner and its heir, one shortly after the other, leaves nothing behind', async () => {
      const delays = [0, 10, 20, 30, 45, 60, 80];
      const names = delays.map((ms) => `both-${ms}`);
      const number = (name: string) => numberProperty(name);
      await older.kubectl.apply(...names.map(number));
      for (const name of names) await bench.reason('StructuredProperty', name, 'Applied', older.name);
      await newer.kubectl.apply(...names.map(number));
      for (const name of names) await bench.reason('StructuredProperty', name, 'Conflict', newer.name);
      for (const [index, ms] of delays.entries()) {
        const gone = (kubectl: Kubectl) => kubectl.run('delete', 'sprop', names[index]!, '--timeout=30s');
        const later = sleep(ms).then(() => gone(newer.kubectl));
        await Promise.all([gone(older.kubectl), later]);
        expect([ms, await definitionOf(bench.api, names[index]!)]).toEqual([ms, undefined]);
        expect(await ownersOf(bench.api, `urn=${propertyUrn(`e2e.${names[index]}`)}`)).toEqual([]);
      }
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
        for (const name of [names[0]!, names[11]!]) await bench.reason('DatasetProperties', name, 'Applied', namespace);
        await bench.reason('DatasetProperties', `${prefix}-outside`, 'Applied');
      }

      async function nothingRemains(namespace: string, prefix: string): Promise<void> {
        expect(await ownersOf(bench.api, `namespace=${namespace}`)).toEqual([]);
        const states = [
          definitionOf(bench.api, `${prefix}-0`),
          isRemoved(bench.api, `${prefix}-1`),
          definitionOf(bench.api, `${prefix}-2`),
        ];
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
