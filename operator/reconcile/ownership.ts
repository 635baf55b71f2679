import { ANNOTATIONS } from '../../model/resource/annotations.ts';
import { compareAge, isResourceKind, type ResourceId, resourceKey } from '../../model/resource/identity.ts';
import type { OwningResource } from '../../model/resource/resource.ts';
import type { Owner, OwnerMark } from '../catalogue/catalogue.ts';
import type { SourceResource } from '../source/port.ts';
import { instructionsFor } from './instructions.ts';
import type { Tools } from './step.ts';

/** What a write for a resource says of whose it is. */
export function ownerOf({ id, spec }: OwningResource, source: string): Owner {
  return { ...id, source, deletionPolicy: spec.deletionPolicy };
}

export function isMarkOf(mark: OwnerMark | undefined, source: string, id: ResourceId): boolean {
  return (
    mark !== undefined &&
    mark.source === source &&
    mark.kind === id.kind &&
    mark.namespace === id.namespace &&
    mark.name === id.name
  );
}

/** Whether the mark says exactly what a write of this owner would make it say. */
export function isUpToDate(mark: OwnerMark | undefined, owner: Owner): boolean {
  return isMarkOf(mark, owner.source, owner) && mark?.deletionPolicy === owner.deletionPolicy;
}

/**
 * Who stands in the way of `entry` at a thing that exists, by its mark; `undefined`: nobody. Another source does, unless
 * the resource is to adopt; what nobody owns does, if it is not to adopt. A resource of this source does when it is older
 * and its wish is not known now, since it may still claim what it has; what a known wish claims is decided by the
 * wishes, not by marks.
 */
export function holderInTheWay(mark: OwnerMark | undefined, entry: SourceResource, tools: Tools): string | undefined {
  if (mark === undefined) {
    const adopt = instructionsFor(entry).adopt ?? tools.adoptsUnowned;
    return adopt ? undefined : `nobody, and adoption is off: annotate ${ANNOTATIONS.adopt}=true to take it over`;
  }
  if (isMarkOf(mark, tools.source.name, entry.id)) return undefined;
  const name = `${mark.kind} ${mark.namespace}/${mark.name}`;
  if (mark.source !== tools.source.name) {
    return instructionsFor(entry).adopt === true ? undefined : `${name} of source ${mark.source}`;
  }
  if (!isResourceKind(mark.kind)) return undefined;
  const holder = tools.index.get(resourceKey({ kind: mark.kind, namespace: mark.namespace, name: mark.name }));
  if (holder === undefined || holder.deleting || holder.wish.kind === 'valid') return undefined;
  return compareAge(holder, entry) < 0 ? `${name}, whose manifest is not valid now` : undefined;
}

/** Whether a resource can be made the owner of what another one leaves to it: it is ours to work on, and may adopt. */
export function canInherit(entry: SourceResource): boolean {
  return !entry.elsewhere && instructionsFor(entry).adopt !== false;
}

/** For messages: with its place, where the source has one. */
export function describeResource({ id, location }: SourceResource): string {
  return location === undefined ? resourceName(id) : `${resourceName(id)} (${location})`;
}

/** `StructuredProperty governance/retention`. */
export function resourceName({ kind, namespace, name }: ResourceId): string {
  return `${kind} ${namespace}/${name}`;
}
