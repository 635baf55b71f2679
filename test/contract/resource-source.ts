import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ResourceId, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import type { ResourceStatus } from '../../model/resource/status.ts';
import type { ResourceSource, SourceResource } from '../../operator/source/port.ts';
import { eventually } from '../harness/api.ts';
import { dataset as datasetManifest, property as propertyManifest } from '../harness/manifests.ts';

/** A place where resources live, and sources that look at it. */
export interface ResourceSourceHarness {
  /** A new source, not started. What the one before has been told to keep is there. */
  open(): ResourceSource;
  /** Creates or replaces a resource, as a person does. */
  apply(manifest: object): Promise<void>;
  /** Deletes a resource, as a person does. */
  remove(id: ResourceId): Promise<void>;
  /** The status as people find it. */
  storedStatus(id: ResourceId): Promise<ResourceStatus | undefined>;
  close(): Promise<void>;
}

const STATUS: ResourceStatus = {
  observedGeneration: 1,
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Applied',
      message: 'done',
      lastTransitionTime: '2026-01-01T00:00:00.000Z',
    },
  ],
};

/** What every source of resources does, whatever it is made of. @param namespace where the resources may be. */
export function describeResourceSource(
  name: string,
  create: () => Promise<ResourceSourceHarness>,
  namespace = 'governance',
): void {
  const RETENTION: ResourceId = { kind: 'StructuredProperty', namespace, name: 'retention' };
  const CLICKS: ResourceId = { kind: 'DatasetProperties', namespace, name: 'clicks' };
  const property = (spec: object = {}) => propertyManifest(spec, { namespace });
  const dataset = () => datasetManifest({}, { namespace });

  describe(`${name} as a source of resources`, () => {
    let harness: ResourceSourceHarness;
    let source: ResourceSource;
    let changes: ResourceKey[];

    beforeEach(async () => {
      harness = await create();
      source = harness.open();
      changes = [];
    });

    afterEach(async () => {
      await source.stop();
      await harness.close();
    });

    async function start(owned: readonly ResourceId[] = []): Promise<void> {
      await source.start(owned);
      source.table.subscribe(({ key, isNews }) => {
        if (isNews) changes.push(key);
      });
    }

    async function restart(owned: readonly ResourceId[] = []): Promise<void> {
      await source.stop();
      source = harness.open();
      changes = [];
      await start(owned);
    }

    const get = (id: ResourceId): SourceResource | undefined => source.table.get(resourceKey(id));

    async function until(id: ResourceId, check: (resource: SourceResource | undefined) => boolean): Promise<void> {
      await eventually(async () => {
        const resource = get(id);
        if (!check(resource)) throw new Error(`not yet: ${JSON.stringify(resource)}`);
      });
    }

    it('lists at the start what is there, of both kinds', async () => {
      await harness.apply(property());
      await harness.apply(dataset());
      await start();
      expect(
        source.table
          .list()
          .map(({ id }) => resourceKey(id))
          .toSorted(),
      ).toEqual([resourceKey(CLICKS), resourceKey(RETENTION)]);
      expect(get(RETENTION)).toMatchObject({ id: RETENTION, generation: 1, deleting: false, wish: { kind: 'valid' } });
      expect(get(RETENTION)).not.toHaveProperty('status');
    });

    it('tells of what appears and of what changes, and raises the generation', async () => {
      await start();
      await harness.apply(property());
      await until(RETENTION, (resource) => resource?.generation === 1);
      const created = get(RETENTION)?.created;
      await harness.apply(property({ description: 'changed' }));
      await until(RETENTION, (resource) => resource?.generation === 2);
      expect(get(RETENTION)).toMatchObject({ created, wish: { resource: { spec: { description: 'changed' } } } });
      await eventually(async () => expect(changes).toEqual([resourceKey(RETENTION), resourceKey(RETENTION)]));
    });

    it('knows the age of resources, also after a restart', async () => {
      await start();
      await harness.apply(property());
      await until(RETENTION, (resource) => resource !== undefined);
      // A cluster tells ages in whole seconds.
      await eventually(async () => expect(Date.now()).toBeGreaterThan((get(RETENTION)?.created ?? 0) + 1000));
      await harness.apply(dataset());
      await until(CLICKS, (resource) => resource !== undefined);
      const ages = [get(RETENTION)?.created ?? 0, get(CLICKS)?.created ?? 0] as const;
      expect(ages[0]).toBeLessThan(ages[1]);
      await restart();
      expect([get(RETENTION)?.created, get(CLICKS)?.created]).toEqual(ages);
    });

    it('keeps a deleted resource in the list until it is finalized', async () => {
      await harness.apply(property());
      await start();
      await source.protect(RETENTION);
      await harness.remove(RETENTION);
      await until(RETENTION, (resource) => resource?.deleting === true);
      expect(get(RETENTION)?.wish.kind).toBe('valid');
      changes.length = 0;
      await source.finalized(get(RETENTION)!);
      await until(RETENTION, (resource) => resource === undefined);
      await eventually(async () => expect(changes).toContain(resourceKey(RETENTION)));
    });

    it('notices what was deleted while nobody looked', async () => {
      await harness.apply(property());
      await start();
      await source.protect(RETENTION);
      await source.stop();
      await harness.remove(RETENTION);
      source = harness.open();
      await start([RETENTION]);
      await until(RETENTION, (resource) => resource?.deleting === true);
    });

    it('takes a resource that is made anew after its end for a new one', async () => {
      await harness.apply(property());
      await start();
      await source.protect(RETENTION);
      await source.reportStatus(RETENTION, STATUS);
      await harness.apply(property({ description: 'changed' }));
      await until(RETENTION, (resource) => resource?.generation === 2);
      await harness.remove(RETENTION);
      await until(RETENTION, (resource) => resource?.deleting === true);
      await source.finalized(get(RETENTION)!);
      await until(RETENTION, (resource) => resource === undefined);
      await harness.apply(property());
      await until(RETENTION, (resource) => resource?.deleting === false);
      expect(get(RETENTION)).toMatchObject({ generation: 1 });
      expect(get(RETENTION)).not.toHaveProperty('status');
    });

    it('keeps a status where it is in the list at once, where people find it, and over a restart', async () => {
      await harness.apply(property());
      await start();
      await source.reportStatus(RETENTION, STATUS);
      expect(get(RETENTION)?.status).toEqual(STATUS);
      await eventually(async () => expect(await harness.storedStatus(RETENTION)).toMatchObject(STATUS));
      await restart();
      expect(get(RETENTION)?.status).toMatchObject(STATUS);
    });

    it('tells nothing more once it is stopped', async () => {
      await start();
      const told: ResourceKey[] = [];
      source.table.subscribe(({ key }) => told.push(key));
      await restart();
      await harness.apply(property());
      await until(RETENTION, (resource) => resource?.generation === 1);
      // What it would see is seen by the one that looks now, and for a second time.
      await harness.apply(property({ description: 'changed' }));
      await until(RETENTION, (resource) => resource?.generation === 2);
      expect(told).toEqual([]);
    });
  });
}
