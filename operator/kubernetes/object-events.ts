import type { KubeMetadata, KubeObject } from '../../kubernetes/kube-object.ts';
import { isNewerVersion } from './resource-version.ts';

/** What is heard of objects. */
export type ObjectEvent =
  /** By a watch; a deleted one is as it was when it was deleted. */
  | { readonly type: 'changed' | 'deleted'; readonly object: KubeObject }
  /**
   * Everything there is, as a complete list says: what is not in it is gone. `isRewound`: the list is of a time before what
   * is known, as after a restored backup: older states are taken too.
   */
  | { readonly type: 'listed'; readonly objects: readonly KubeObject[]; readonly isRewound: boolean }
  /** By the answer of a write of our own, which can come later than the news that the object is gone. */
  | { readonly type: 'written'; readonly object: KubeObject };

/** What becomes of an object. */
export interface ObjectEffect {
  readonly object: KubeObject;
  /** `gone-unseen`: the object is as it was seen last, some time before its end. */
  readonly now: 'there' | 'gone' | 'gone-unseen';
}

/** `namespace/name`, or `name` for an object that belongs to no namespace. */
export function objectKey({ namespace, name }: Pick<KubeMetadata, 'namespace' | 'name'>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/**
 * What an event amounts to, given what is known; never back to an older state of an object.
 * @param known the objects that are known where the event is from, by `objectKey`.
 */
export function effectsOf(event: ObjectEvent, known: ReadonlyMap<string, KubeObject>): ObjectEffect[] {
  if (event.type === 'listed') return effectsOfList(event.objects, event.isRewound ? isOther : isNewer, known);
  const { type, object } = event;
  const standing = known.get(objectKey(object.metadata));
  if (type === 'changed') return effectsOfOne(object, standing, isNewer);
  if (standing === undefined) return [];
  const isSame = standing.metadata.uid === object.metadata.uid;
  if (type === 'written') return isSame ? effectsOfOne(object, standing, isNewer) : [];
  if (!isSame && !isNewer(object, standing)) return [];
  return [isSame ? { object, now: 'gone' } : { object: standing, now: 'gone-unseen' }];
}

type Counts = (object: KubeObject, standing: KubeObject) => boolean;

function effectsOfList(
  objects: readonly KubeObject[],
  counts: Counts,
  known: ReadonlyMap<string, KubeObject>,
): ObjectEffect[] {
  const present = new Set(objects.map(({ metadata }) => objectKey(metadata)));
  const absent = [...known].filter(([key]) => !present.has(key));
  return [
    ...absent.map(([, object]) => ({ object, now: 'gone-unseen' }) as const),
    ...objects.flatMap((object) => effectsOfOne(object, known.get(objectKey(object.metadata)), counts)),
  ];
}

function effectsOfOne(object: KubeObject, standing: KubeObject | undefined, counts: Counts): ObjectEffect[] {
  if (standing !== undefined && !counts(object, standing)) return [];
  const isAnother = standing !== undefined && standing.metadata.uid !== object.metadata.uid;
  return [...(isAnother ? [{ object: standing, now: 'gone-unseen' } as const] : []), { object, now: 'there' }];
}

function isNewer(object: KubeObject, standing: KubeObject): boolean {
  return isNewerVersion(object.metadata.resourceVersion, standing.metadata.resourceVersion);
}

function isOther(object: KubeObject, standing: KubeObject): boolean {
  return object.metadata.resourceVersion !== standing.metadata.resourceVersion;
}
