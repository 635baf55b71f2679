import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KubeClient } from '../../../../kubernetes/kube-client.ts';
import { KubeError } from '../../../../kubernetes/kube-error.ts';
import type { JsonPatchOperation, KubeObject, KubeRef } from '../../../../kubernetes/kube-object.ts';
import { changeObject } from '../../../../operator/source/kubernetes/change-object.ts';

const REF: KubeRef = { resource: { group: 'test.example', version: 'v1', plural: 'things' }, name: 'a' };

/** What the cluster has under the name. */
let stored: KubeObject;

/** Patches `status`, if everything is as the patch says that it is. */
const client = {
  read: async () => stored,
  async patch(_ref: KubeRef, operations: readonly JsonPatchOperation[]) {
    for (const operation of operations) {
      if (operation.op === 'test') expectThere(operation.path, operation.value);
      else if (operation.op === 'add') stored = { ...changed(stored), status: operation.value };
    }
    return stored;
  },
} as Partial<KubeClient> as KubeClient;

function expectThere(path: string, value: unknown): void {
  const found = path
    .slice(1)
    .split('/')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], stored);
  if (found !== value) throw new KubeError('invalid', `the test of ${path} failed`);
}

function objectOf(uid: string): KubeObject {
  return { metadata: { name: 'a', uid, resourceVersion: '1' }, spec: 'old' };
}

function changed(object: KubeObject, fields: object = {}): KubeObject {
  const resourceVersion = String(Number(object.metadata.resourceVersion) + 1);
  return { ...object, ...fields, metadata: { ...object.metadata, resourceVersion } };
}

/** Notes the spec that it saw. */
const plan = ({ spec }: KubeObject): JsonPatchOperation[] => [{ op: 'add', path: '/status', value: `saw ${spec}` }];

beforeEach(() => {
  stored = objectOf('one');
});

describe('a change of an object', () => {
  it('is made to what was seen', async () => {
    expect(await changeObject(client, REF, stored, plan)).toMatchObject({ status: 'saw old' });
  });

  it('is decided again for what somebody else has made of it meanwhile', async () => {
    const seen = stored;
    stored = changed(stored, { spec: 'new' });
    expect(await changeObject(client, REF, seen, plan)).toMatchObject({ spec: 'new', status: 'saw new' });
  });

  it('is not made to another one that has its name by now', async () => {
    const seen = stored;
    stored = objectOf('two');
    expect(await changeObject(client, REF, seen, plan)).toBeUndefined();
    expect(stored).toEqual(objectOf('two'));
  });
});
