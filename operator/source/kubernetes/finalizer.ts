import type { JsonPatchOperation, KubeObject } from '../../../kubernetes/kube-object.ts';
import { API_GROUP } from '../../../model/resource/identity.ts';

/** Keeps a resource until its deletion policy is carried out. */
export const FINALIZER = `${API_GROUP}/finalizer`;

export function isProtected({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(FINALIZER) ?? false;
}

/** @returns `undefined`: nothing to do, or too late. */
export function addFinalizer(object: KubeObject): JsonPatchOperation[] | undefined {
  if (isProtected(object) || object.metadata.deletionTimestamp !== undefined) return undefined;
  const { finalizers } = object.metadata;
  return finalizers === undefined || finalizers.length === 0
    ? [{ op: 'add', path: '/metadata/finalizers', value: [FINALIZER] }]
    : [{ op: 'add', path: '/metadata/finalizers/-', value: FINALIZER }];
}

/**
 * By its place, and only if it is there: others add and remove theirs at the same time.
 * @returns `undefined`: nothing to do, or the object is not being deleted.
 */
export function removeFinalizer({ metadata }: KubeObject): JsonPatchOperation[] | undefined {
  const index = metadata.finalizers?.indexOf(FINALIZER) ?? -1;
  if (index < 0 || metadata.deletionTimestamp === undefined) return undefined;
  const path = `/metadata/finalizers/${index}`;
  return [
    { op: 'test', path, value: FINALIZER },
    { op: 'remove', path },
  ];
}
