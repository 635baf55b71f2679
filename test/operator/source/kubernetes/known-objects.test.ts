import { beforeEach, describe, expect, it } from '@jest/globals';
import { resourceKey } from '../../../../model/resource/identity.ts';
import type { KubeMetadata, KubeObject } from '../../../../operator/kubernetes/kube-object.ts';
import { FINALIZER } from '../../../../operator/source/kubernetes/finalizer.ts';
import { KnownObjects } from '../../../../operator/source/kubernetes/known-objects.ts';

const KIND = 'StructuredProperty';
const id = { kind: KIND, namespace: 'a', name: 'days' } as const;
const key = resourceKey(id);
const DELETED = { deletionTimestamp: '2026-11-21T00:00:00Z' };

let objects: KnownObjects;
beforeEach(() => {
  objects = new KnownObjects((labels) => labels.team !== 'other');
});

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
    ['another generation', objectOf({ finalizers: [FINALIZER], generation: 2 })],
    ['its deletion', objectOf({ finalizers: [FINALIZER], ...DELETED })],
    ['the loss of our finalizer', objectOf()],
    ['another shard', objectOf({ finalizers: [FINALIZER], labels: { team: 'other' } })],
  ])('is %s, also when a write of our own has shown it before it was told', (_, now) => {
    expect(objects.upsert(KIND, first, undefined)).toBe(true);
    objects.refresh(KIND, now);
    expect(objects.upsert(KIND, now, first)).toBe(true);
    expect(objects.upsert(KIND, now, now)).toBe(false);
  });

  it('is the end of what others had to do with a deleted one', () => {
    const awaited = objectOf({ ...DELETED, finalizers: [FINALIZER, 'foregroundDeletion'] });
    const ready = objectOf({ ...DELETED, finalizers: [FINALIZER] });
    objects.upsert(KIND, awaited, undefined);
    expect(objects.get(key)?.awaited).toEqual(['foregroundDeletion']);
    objects.refresh(KIND, ready);
    expect(objects.upsert(KIND, ready, awaited)).toBe(true);
    expect(objects.get(key)).not.toHaveProperty('awaited');
  });

  it('is not our own finalizer, and not a label that moves it nowhere', () => {
    objects.upsert(KIND, objectOf(), undefined);
    expect(objects.upsert(KIND, first, objectOf())).toBe(false);
    expect(objects.upsert(KIND, objectOf({ finalizers: [FINALIZER], labels: { team: 'ours' } }), first)).toBe(false);
  });
});

describe('an object that loses our finalizer', () => {
  it('has gone when we take it, and is abandoned when somebody else does', () => {
    const deleted = objectOf({ ...DELETED, finalizers: [FINALIZER] });
    objects.upsert(KIND, deleted, undefined);
    objects.release('one');
    expect(objects.get(key)).toBeUndefined();
    objects.gone(KIND, deleted, true);
    expect(objects.get(key)).toBeUndefined();

    const next = objectOf({ uid: 'two', ...DELETED, finalizers: [FINALIZER] });
    objects.upsert(KIND, next, undefined);
    objects.gone(KIND, next, true);
    expect(objects.get(key)).toMatchObject({ uid: 'two', abandoned: true, deleting: true });
    expect(objects.forgetOutlived(key)).toBe(true);
    expect(objects.list()).toEqual([]);
  });

  it('is deleted, and not abandoned, when the cluster dropped it with our finalizer on it', () => {
    const kept = objectOf({ finalizers: [FINALIZER] });
    objects.upsert(KIND, objectOf(), undefined);
    // The news of the finalizer may come only with the end.
    objects.gone(KIND, kept, true);
    expect(objects.get(key)).toMatchObject({ uid: 'one', deleting: true, wish: { kind: 'valid' } });
    expect(objects.get(key)).not.toHaveProperty('abandoned');
    const status = { conditions: [] };
    expect(objects.setStatus(key, status)).toBe(false);
    expect(objects.get(key)?.status).toBe(status);
    expect(objects.forgetOutlived(key)).toBe(true);
    expect(objects.get(key)).toBeUndefined();
  });

  it('is abandoned when nobody saw how it was at its end', () => {
    const kept = objectOf({ finalizers: [FINALIZER] });
    objects.upsert(KIND, kept, undefined);
    objects.gone(KIND, kept, false);
    expect(objects.get(key)).toMatchObject({ abandoned: true });
  });

  it('is left to its own shard', () => {
    const elsewhere = objectOf({ finalizers: [FINALIZER], labels: { team: 'other' } });
    objects.upsert(KIND, elsewhere, undefined);
    objects.gone(KIND, elsewhere, true);
    expect(objects.get(key)).toBeUndefined();
  });

  it('is forgotten when another one takes its name', () => {
    objects.abandon(id);
    expect(objects.get(key)).toMatchObject({ abandoned: true });
    objects.upsert(KIND, objectOf({ uid: 'two' }), undefined);
    expect(objects.get(key)).toMatchObject({ uid: 'two', deleting: false });
    expect(objects.forgetOutlived(key)).toBe(false);
  });
});
