import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KubeMetadata, KubeObject } from '../../../../kubernetes/kube-object.ts';
import { resourceKey } from '../../../../model/resource/identity.ts';
import { FINALIZER } from '../../../../operator/source/kubernetes/finalizer.ts';
import { KnownObjects } from '../../../../operator/source/kubernetes/known-objects.ts';

const KIND = 'StructuredProperty';
const id = { kind: KIND, namespace: 'a', name: 'days' } as const;
const key = resourceKey(id);
const DELETED = { deletionTimestamp: '2026-11-21T00:00:00Z' };

let objects: KnownObjects;
let news: boolean[];
beforeEach(() => {
  objects = newObjects();
});

function newObjects(): KnownObjects {
  const made = new KnownObjects((labels) => labels.team !== 'other');
  news = [];
  made.table.subscribe(({ isNews }) => news.push(isNews));
  return made;
}

/** @returns whether it was told as news. */
function heard(object: KubeObject, type: 'changed' | 'written' | 'deleted' = 'changed'): boolean {
  news.length = 0;
  objects.apply(KIND, { type, object });
  return news.includes(true);
}

/** It is not in the list any more. */
function vanished(): void {
  objects.apply(KIND, { type: 'listed', objects: [], isRewound: false });
}

function objectOf(metadata: Partial<KubeMetadata> = {}, status: object = {}): KubeObject {
  return {
    metadata: { namespace: 'a', name: 'days', uid: 'one', resourceVersion: '1', generation: 1, ...metadata },
    spec: { qualifiedName: 'com.example.days', valueType: 'number', entityTypes: ['dataset'] },
    status,
  } as KubeObject;
}

describe('news of an object', () => {
  const first = objectOf({ finalizers: [FINALIZER] });

  it.each([
    ['another generation', { finalizers: [FINALIZER], generation: 2 }],
    ['its deletion', { finalizers: [FINALIZER], ...DELETED }],
    ['the loss of our finalizer', {}],
    ['another shard', { finalizers: [FINALIZER], labels: { team: 'other' } }],
  ])('is %s, once, also when it comes with the answer of a write of our own', (_, metadata) => {
    for (const type of ['changed', 'written'] as const) {
      objects = newObjects();
      const now = objectOf({ ...metadata, resourceVersion: '2' });
      expect(heard(first)).toBe(true);
      expect(heard(now, type)).toBe(true);
      expect(heard(now)).toBe(false);
      expect(heard({ ...now, metadata: { ...now.metadata, resourceVersion: '3' } })).toBe(false);
    }
  });

  it('is the end of what others had to do with a deleted one', () => {
    heard(objectOf({ ...DELETED, finalizers: [FINALIZER, 'foregroundDeletion'] }));
    expect(objects.table.get(key)?.awaited).toEqual(['foregroundDeletion']);
    expect(heard(objectOf({ ...DELETED, finalizers: [FINALIZER], resourceVersion: '2' }), 'written')).toBe(true);
    expect(objects.table.get(key)).not.toHaveProperty('awaited');
  });

  it('is not our own finalizer, and not a label that moves it nowhere', () => {
    heard(objectOf());
    expect(heard(objectOf({ finalizers: [FINALIZER], resourceVersion: '2' }))).toBe(false);
    const labels = { team: 'ours' };
    expect(heard(objectOf({ finalizers: [FINALIZER], labels, resourceVersion: '3' }))).toBe(false);
  });

  it('is not a status of our own, from the report to the store, but one by somebody else', () => {
    const status = { conditions: [], observedGeneration: 1 };
    heard(first);
    objects.setStatus(id, status);
    expect(objects.table.get(key)?.status).toBe(status);
    expect(heard(objectOf({ finalizers: [FINALIZER], resourceVersion: '2' }, status), 'written')).toBe(false);
    objects.clearStatus(id, status);
    expect(objects.table.get(key)?.status).toEqual(status);
    expect(heard(objectOf({ finalizers: [FINALIZER], resourceVersion: '3' }, { conditions: [] }))).toBe(true);
  });

  it('is older than what is known only in a list of a time before', () => {
    heard(objectOf({ resourceVersion: '5', generation: 2 }));
    objects.apply(KIND, { type: 'listed', objects: [objectOf()], isRewound: false });
    expect(objects.table.get(key)?.generation).toBe(2);
    objects.apply(KIND, { type: 'listed', objects: [objectOf()], isRewound: true });
    expect(objects.table.get(key)?.generation).toBe(1);
  });

  it('is the end of those that a list does not have, of its kind and namespace only', () => {
    heard(objectOf());
    objects.apply('DatasetProperties', { type: 'listed', objects: [], isRewound: false });
    objects.apply(KIND, { type: 'listed', objects: [], isRewound: false }, 'b');
    expect(objects.table.keys()).toEqual([key]);
    objects.apply(KIND, { type: 'listed', objects: [], isRewound: false }, 'a');
    expect(objects.table.keys()).toEqual([]);
    expect(objects.objectOf(id)).toBeUndefined();
  });
});

describe('an object that loses our finalizer', () => {
  it('has gone when we take it, and is abandoned when somebody else does', () => {
    const deleted = objectOf({ ...DELETED, finalizers: [FINALIZER] });
    heard(deleted);
    objects.release(id, 'one');
    expect(objects.table.get(key)).toBeUndefined();
    heard(deleted, 'deleted');
    expect(objects.table.get(key)).toBeUndefined();

    const next = objectOf({ uid: 'two', ...DELETED, finalizers: [FINALIZER] });
    heard(next);
    heard(next, 'deleted');
    expect(objects.table.get(key)).toMatchObject({ uid: 'two', abandoned: true, deleting: true });
    expect(objects.forgetOutlived(id)).toBe(true);
    expect(objects.table.list()).toEqual([]);
  });

  it('is deleted, and not abandoned, when the cluster dropped it with our finalizer on it', () => {
    const kept = objectOf({ finalizers: [FINALIZER] });
    heard(objectOf());
    // The news of the finalizer may come only with the end.
    heard(kept, 'deleted');
    expect(objects.table.get(key)).toMatchObject({ uid: 'one', deleting: true, wish: { kind: 'valid' } });
    expect(objects.table.get(key)).not.toHaveProperty('abandoned');
    const status = { conditions: [] };
    expect(objects.setStatus(id, status)).toBe(false);
    expect(objects.table.get(key)?.status).toBe(status);
    expect(objects.forgetOutlived(id)).toBe(true);
    expect(objects.table.get(key)).toBeUndefined();
  });

  it('is abandoned when nobody saw how it was at its end', () => {
    const kept = objectOf({ finalizers: [FINALIZER] });
    heard(kept);
    vanished();
    expect(objects.table.get(key)).toMatchObject({ abandoned: true });
  });

  it('is left to its own shard', () => {
    const elsewhere = objectOf({ finalizers: [FINALIZER], labels: { team: 'other' } });
    heard(elsewhere);
    heard(elsewhere, 'deleted');
    expect(objects.table.get(key)).toBeUndefined();
  });

  it('is forgotten when another one takes its name', () => {
    objects.abandon(id);
    expect(objects.table.get(key)).toMatchObject({ abandoned: true });
    heard(objectOf({ uid: 'two' }));
    expect(objects.table.get(key)).toMatchObject({ uid: 'two', deleting: false });
    expect(objects.forgetOutlived(id)).toBe(false);
  });
});
