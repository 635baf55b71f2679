import { isResourceKind } from '../../model/resource/identity.ts';
import type { OwnerMark } from '../../operator/catalogue/catalogue.ts';
import { resourceName } from '../../operator/reconcile/ownership.ts';

/** An owner mark as people read it: `DatasetProperties web/clicks (Remove)`. */
export function shownOwner(mark: OwnerMark | undefined, source: string): string | undefined {
  if (mark === undefined) return undefined;
  const { kind, namespace, name } = mark;
  const resource = isResourceKind(kind) ? resourceName({ kind, namespace, name }) : `${kind} ${namespace}/${name}`;
  const foreign = mark.source === source ? '' : ` of source ${mark.source}`;
  return `${resource}${foreign} (${mark.deletionPolicy})`;
}

/** Marks by entity and property. */
export function marksByPlace(marks: Iterable<OwnerMark>): Map<string, Map<string, OwnerMark>> {
  const byEntity = new Map<string, Map<string, OwnerMark>>();
  for (const mark of marks) {
    const ofEntity = byEntity.get(mark.urn) ?? new Map<string, OwnerMark>();
    ofEntity.set(mark.propertyUrn ?? '', mark);
    byEntity.set(mark.urn, ofEntity);
  }
  return byEntity;
}
