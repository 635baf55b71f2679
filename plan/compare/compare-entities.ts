import type { Assignment } from '../../model/assignment.ts';
import { compareText } from '../../model/resource/identity.ts';
import { sameTypedValues } from '../../model/typed-value.ts';
import { keyAspectOf, parseUrn } from '../../model/urn.ts';
import type { OwnerMark } from '../../operator/catalogue/catalogue.ts';
import type { AspectChange } from '../apply-cli-files.ts';
import type { Overlay } from '../catalogue/overlay.ts';
import type { EntityChange, FieldChange, PropertyChange, ValueChange } from '../plan-shape.ts';
import { compareAspects } from './compare-aspects.ts';
import { fieldChange, shownValue } from './definition-fields.ts';
import { marksByPlace, shownOwner } from './owner-change.ts';

export interface CompareOptions {
  readonly source: string;
  /** The manifest of that owner is gone. */
  readonly isDeleted: (mark: OwnerMark) => boolean;
  readonly properties: readonly PropertyChange[];
  readonly aspects: ReadonlyMap<string, readonly AspectChange[]>;
}

/** What becomes of the values of each entity that was looked at, without entities that stay as they are. */
export function compareEntities(overlay: Overlay, options: CompareOptions): EntityChange[] {
  const before = marksByPlace(overlay.marksBefore);
  const after = marksByPlace(overlay.memory.marks);
  const fates = new Map(options.properties.map(({ urn, action }) => [urn, action]));
  const urns = new Set([...overlay.assignmentsBefore.keys(), ...before.keys(), ...after.keys()]);
  const changes: EntityChange[] = [];
  for (const urn of urns) {
    const parsed = parseUrn(urn);
    if (parsed.entityType.name === 'structuredProperty') continue;
    const [was, is] = [overlay.assignmentsBefore.get(urn), overlay.memory.readAssignments(urn)];
    const values = compareValues(urn, was ?? [], is ?? [], before.get(urn), after.get(urn));
    const written = options.aspects.get(urn) ?? [];
    const aspects = compareAspects(written);
    const isField = parsed.entityType.name === 'schemaField';
    const created = !isField && overlay.assignmentsBefore.has(urn) && was === undefined && is !== undefined;
    if (values.length + aspects.length === 0 && !created) continue;
    const { parent: dataset, fieldPath } = isField ? keyAspectOf(parsed) : {};
    changes.push({
      ...(overlay.writerOf(urn) ?? placeOf(written)),
      urn,
      ...(dataset === undefined || fieldPath === undefined ? {} : { dataset, fieldPath }),
      action: created
        ? 'create'
        : aspects.length === 0 && values.every(({ action, owner }) => action === 'keep' && owner?.after === undefined)
          ? 'keep'
          : 'change',
      values,
      aspects,
    });
  }
  return changes.sort(
    (one, other) => compareText(one.dataset ?? one.urn, other.dataset ?? other.urn) || compareText(one.urn, other.urn),
  );

  function compareValues(
    urn: string,
    was: readonly Assignment[],
    is: readonly Assignment[],
    marksBefore: ReadonlyMap<string, OwnerMark> = new Map(),
    marksAfter: ReadonlyMap<string, OwnerMark> = new Map(),
  ): ValueChange[] {
    const [old, next] = [byProperty(was), byProperty(is)];
    const propertyUrns = new Set([...old.keys(), ...next.keys(), ...marksBefore.keys(), ...marksAfter.keys()]);
    return [...propertyUrns].sort(compareText).flatMap((propertyUrn) => {
      const [one, other] = [old.get(propertyUrn)?.values, next.get(propertyUrn)?.values];
      const mark = marksBefore.get(propertyUrn);
      const [owner] = fieldChange(
        'owner',
        shownOwner(mark, options.source),
        shownOwner(marksAfter.get(propertyUrn), options.source),
      );
      const same = one !== undefined && other !== undefined ? sameTypedValues(one, other) : one === other;
      if (same && owner === undefined) return [];
      const fate = fates.get(propertyUrn);
      const because =
        !same && (one === undefined ? fate === 'restore' : other === undefined && isHiding(fate)) ? fate : undefined;
      return {
        ...overlay.writerOf(urn, propertyUrn),
        propertyUrn,
        action: same ? 'keep' : one === undefined ? 'add' : other === undefined ? 'remove' : 'replace',
        ...(one === undefined ? {} : { before: one.map(shownValue) }),
        ...(other === undefined ? {} : { after: other.map(shownValue) }),
        ...(because === undefined ? {} : { because }),
        ...(mark !== undefined && owner !== undefined && owner.after === undefined && options.isDeleted(mark)
          ? { deletionPolicy: mark.deletionPolicy }
          : {}),
        ...(owner === undefined ? {} : { owner: withoutField(owner) }),
      } satisfies ValueChange;
    });
  }
}

/** Of an entry that changes nothing but aspects, which the overlay does not see. */
function placeOf(written: readonly AspectChange[]): { location?: string } {
  const location = written.at(-1)?.location;
  return location === undefined ? {} : { location };
}

function isHiding(fate: PropertyChange['action'] | undefined): boolean {
  return fate === 'delete' || fate === 'break' || fate === 'softDelete';
}

function byProperty(assignments: readonly Assignment[]): Map<string, Assignment> {
  return new Map(assignments.map((assignment) => [assignment.propertyUrn, assignment]));
}

function withoutField({ field: _field, ...rest }: FieldChange): Omit<FieldChange, 'field'> {
  return rest;
}
