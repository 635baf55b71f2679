import type { ParsedUrn } from '../urn.ts';
import type { OwnerMark } from '../wire/owner-mark.ts';
import { became, type Change, type Decision, type DecisionContext, type Effect, LEAVE } from './change.ts';
import { draftOf, type EntityDraft, sameOwner, withAssignments, withOwners, withoutAspect } from './draft.ts';

/** Changes that take something away. None makes an entity that is not there, and taking what is gone changes nothing. */

/**
 * Hard deletion. What it leaves behind is hidden from then on: values of a deleted property by their epoch, schema fields
 * of a deleted dataset by its incarnation. Both are removed by jobs.
 */
export function deleting(urn: ParsedUrn): Change {
  return { ...removal(urn, (current) => deletionOf(urn, current)), meansHidden: true };
}

/**
 * Takes aspects away, by canonical names. Without its definition or its key an entity is nothing: with one of these it is
 * deleted. Without `structuredProperties` all assignments go, hidden ones too; without `status` an entity that was soft
 * deleted is back.
 */
export function removingAspects(urn: ParsedUrn, aspects: ReadonlySet<string>): Change {
  if (aspects.has(urn.entityType.keyAspect) || aspects.has('propertyDefinition')) return deleting(urn);
  return removal(urn, (current, { stamp }) => {
    const present = [...aspects].filter((aspect) => current.aspects[aspect] !== undefined);
    const draft = present.includes('structuredProperties')
      ? withAssignments(draftOf(current), [], stamp)
      : draftOf(current);
    return became(current, present.reduce(withoutAspect, draft));
  });
}

/** Removes what an ended epoch of a property has left. By epoch: a property of the same name may live again. */
export function collecting(urn: ParsedUrn, propertyUrn: string, epoch: string): Change {
  return removal(urn, (current) => {
    const left = current.assignments.filter((one) => one.propertyUrn !== propertyUrn || one.epoch !== epoch);
    if (left.length === current.assignments.length) return LEAVE;
    // An entity has one assignment of a property: this was the one that the mark is on.
    return became(current, withOwners({ ...draftOf(current), assignments: left }, new Map([[propertyUrn, undefined]])));
  });
}

/** Takes the marks of one resource away; definitions and values stay. */
export function clearingOwner(urn: ParsedUrn, owner: OwnerMark): Change {
  return removal(urn, (current) => {
    const mine = Object.entries(current.owners).filter(([, mark]) => sameOwner(mark, owner));
    return became(current, withOwners(draftOf(current), new Map(mine.map(([name]) => [name, undefined]))));
  });
}

function removal(urn: ParsedUrn, decide: (current: EntityDraft, context: DecisionContext) => Decision): Change {
  return {
    urn,
    involvedProperties: () => [],
    // biome-ignore lint/correctness/useYield: one step
    *decide(current, context) {
      return current === undefined ? LEAVE : decide(current, context);
    },
  };
}

function deletionOf({ entityType }: ParsedUrn, { definitionState }: EntityDraft): Decision {
  const effects: Effect[] = [];
  if (definitionState !== undefined) {
    effects.push({ kind: 'job', job: 'cascade', epoch: definitionState.epoch });
  }
  if (entityType.name === 'dataset') effects.push({ kind: 'job', job: 'fields' });
  if (entityType.name === 'structuredProperty') effects.push({ kind: 'release' });
  return { kind: 'next', draft: undefined, effects, warnings: [] };
}
