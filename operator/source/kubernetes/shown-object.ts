import type { KubeObject } from '../../../kubernetes/kube-object.ts';
import { ownAnnotationsText } from '../../../model/resource/annotations.ts';
import { API_VERSION, type ResourceId, type ResourceKind } from '../../../model/resource/identity.ts';
import { parseResource } from '../../../model/resource/parse-resource.ts';
import { readStatus } from '../../../model/resource/status.ts';
import type { SourceResource, Wish } from '../port.ts';
import { FINALIZER } from './finalizer.ts';

export function idOf(kind: ResourceKind, { metadata }: KubeObject): ResourceId {
  return { kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

export function isBeingDeleted({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** What an object of one of our kinds means. @param wish what it says, if that is known, so as not to parse it again. */
export function showObject(
  kind: ResourceKind,
  object: KubeObject,
  isOurs: (labels: Readonly<Record<string, string>>) => boolean,
  wish: Wish | undefined,
): SourceResource {
  const { metadata } = object;
  const status = readStatus(object.status);
  const awaited = awaitedBy(object);
  return {
    id: idOf(kind, object),
    uid: metadata.uid,
    wish: wish ?? wishOf(kind, object),
    generation: metadata.generation ?? 1,
    created: Date.parse(metadata.creationTimestamp ?? '') || 0,
    deleting: isBeingDeleted(object),
    ...(awaited.length > 0 ? { awaited } : {}),
    ...(isOurs(metadata.labels ?? {}) ? {} : { elsewhere: true as const }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Who else has to finish with an object that is being deleted. */
export function awaitedBy(object: KubeObject): string[] {
  if (!isBeingDeleted(object)) return [];
  return (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
}

function wishOf(kind: ResourceKind, { metadata, spec }: KubeObject): Wish {
  const parsed = parseResource({ apiVersion: API_VERSION, kind, metadata, spec });
  return parsed.valid
    ? { kind: 'valid', resource: parsed.resource }
    : { kind: 'invalid', violations: parsed.violations };
}

/** Whether nothing that people wish has changed. */
export function saysTheSame(one: KubeObject, other: KubeObject): boolean {
  return (
    one.metadata.uid === other.metadata.uid &&
    one.metadata.generation === other.metadata.generation &&
    ownAnnotationsText(one.metadata.annotations) === ownAnnotationsText(other.metadata.annotations)
  );
}
