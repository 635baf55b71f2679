import { expect } from '@jest/globals';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { conditionOf } from './kube-bench.ts';
import type { LeaderWishes } from './leader-wishes.ts';
import type { Sent } from './proxied-operator.ts';

const isWrite = (method: string, end: RegExp) => (request: Sent) =>
  request.method === method && end.test(decodeURIComponent(request.path));
const writesFinalizer = (op: 'add' | 'remove') => (request: Sent) =>
  isWrite('PATCH', /properties\/[^/]+$/u)(request) &&
  request.to === 'cluster' &&
  request.body.includes(`"op":"${op}","path":"/metadata/finalizers`);

/**
 * A write of the leader that is on its way when it is frozen. The other one takes over, the world goes on, then the
 * write arrives: while the old leader is still frozen, or after it has thawed.
 */
interface LateWrite {
  /** What stands before. */
  before?(wishes: LeaderWishes, name: string): Promise<unknown>;
  provoke(wishes: LeaderWishes, name: string): Promise<unknown>;
  fits(request: Sent): boolean;
  /** What is wished of the new leader, until it is done. */
  meanwhile(wishes: LeaderWishes, name: string): Promise<unknown>;
  holds(wishes: LeaderWishes, name: string): Promise<unknown>;
  readonly refused: readonly number[];
}

export const LATE_WRITES: Readonly<Record<string, LateWrite>> = {
  'a definition': {
    before: (wishes, name) => wishes.bench.kubectl.apply(wishes.property(name)),
    provoke: (wishes, name) => wishes.bench.kubectl.apply(wishes.property(name, { displayName: 'Late' })),
    fits: isWrite('POST', /\/propertyDefinition$/u),
    meanwhile: async (wishes, name) => {
      await wishes.bench.kubectl.apply(wishes.property(name, { displayName: 'New' }));
      await wishes.bench.reason('StructuredProperty', name, 'Applied');
    },
    holds: async (wishes, name) => expect(await wishes.displayNameOf(name)).toBe('New'),
    refused: [409],
  },
  'values of a dataset': {
    before: (wishes, name) => wishes.bench.kubectl.apply(wishes.property(name), wishes.values(name, 1)),
    provoke: (wishes, name) => wishes.bench.kubectl.apply(wishes.values(name, 2)),
    fits: isWrite('PATCH', /\/structuredProperties$/u),
    meanwhile: async (wishes, name) => {
      await wishes.bench.kubectl.apply(wishes.values(name, 3));
      await wishes.bench.reason('DatasetProperties', name, 'Applied');
    },
    holds: async (wishes, name) => expect(await wishes.valuesOf(name)).toEqual([[{ double: 3 }]]),
    refused: [409],
  },
  'the deletion of a definition': {
    before: (wishes, name) => wishes.bench.kubectl.apply(wishes.property(name)),
    provoke: (wishes, name) => wishes.bench.kubectl.run('delete', 'sprop', name, '--wait=false'),
    fits: isWrite('DELETE', /\/structuredProperty\//u),
    meanwhile: async (wishes, name) => {
      await wishes.bench.gone('StructuredProperty', name);
      await wishes.bench.kubectl.apply(wishes.property(name, { displayName: 'Again' }));
      await wishes.bench.reason('StructuredProperty', name, 'Applied');
    },
    holds: async (wishes, name) => expect(await wishes.displayNameOf(name)).toBe('Again'),
    refused: [409],
  },
  'the clearing of owner marks': {
    before: (wishes, name) => wishes.bench.kubectl.apply(wishes.property(name, { deletionPolicy: 'Retain' })),
    provoke: (wishes, name) => wishes.bench.kubectl.run('delete', 'sprop', name, '--wait=false'),
    fits: isWrite('DELETE', /\/owners$/u),
    meanwhile: async (wishes, name) => {
      await wishes.bench.gone('StructuredProperty', name);
      await wishes.bench.kubectl.apply(wishes.property(name));
      await wishes.bench.reason('StructuredProperty', name, 'Applied');
    },
    holds: async (wishes, name) => {
      const { body } = await wishes.bench.api.get(`/owners?urn=${wishes.propertyUrn(name)}`);
      expect(body.owners).toHaveLength(1);
    },
    refused: [409],
  },
  'a finalizer': {
    provoke: (wishes, name) => wishes.bench.kubectl.apply(wishes.property(name)),
    fits: writesFinalizer('add'),
    meanwhile: (wishes, name) => wishes.bench.reason('StructuredProperty', name, 'Applied'),
    holds: async (wishes, name) =>
      expect((await wishes.bench.read('StructuredProperty', name)).metadata.finalizers).toEqual([FINALIZER]),
    refused: [422],
  },
  'the removal of a finalizer': {
    before: (wishes, name) => wishes.bench.kubectl.apply(wishes.property(name)),
    provoke: (wishes, name) => wishes.bench.kubectl.run('delete', 'sprop', name, '--wait=false'),
    fits: writesFinalizer('remove'),
    meanwhile: async (wishes, name) => {
      await wishes.bench.gone('StructuredProperty', name);
      await wishes.bench.kubectl.apply(wishes.property(name));
      await wishes.bench.reason('StructuredProperty', name, 'Applied');
    },
    holds: async (wishes, name) =>
      expect((await wishes.bench.read('StructuredProperty', name)).metadata.finalizers).toEqual([FINALIZER]),
    refused: [422],
  },
  'a status': {
    before: (wishes, name) =>
      wishes.bench.kubectl.apply(wishes.property(name, { allowedValues: [{ value: 1 }] }), wishes.values(name, 1)),
    provoke: (wishes, name) => wishes.bench.kubectl.apply(wishes.values(name, 2)),
    fits: (request) => isWrite('PATCH', /\/status$/u)(request) && request.body.includes('InvalidValue'),
    meanwhile: async (wishes, name) => {
      await wishes.bench.kubectl.apply(wishes.values(name, 1));
      await wishes.bench.reason('DatasetProperties', name, 'Applied');
    },
    holds: async (wishes, name) => {
      const object = await wishes.bench.read('DatasetProperties', name);
      expect(conditionOf(object, 'Ready').reason).toBe('Applied');
      expect(conditionOf(object, 'Stalled')).toBeUndefined();
    },
    refused: [422],
  },
};
