import type { Checked } from '../shape.ts';
import type { ParsedUrn } from '../urn.ts';
import type { OwnerMark } from '../wire/owner-mark.ts';
import { type Change, refusal } from './change.ts';
import type { EntityDraft } from './draft.ts';
import { parseAspects } from './parse-aspects.ts';
import { decideWrite } from './write.ts';

/**
 * Writes aspects that depend on what the entity is now, in one step: nobody's change in between is lost. They are
 * checked as if they had been sent whole.
 * @param aspects gives the new aspects by name, or says why there are none.
 */
export function rewriting(
  urn: ParsedUrn,
  aspects: (current: EntityDraft | undefined) => Checked<Readonly<Record<string, unknown>>>,
  owner: OwnerMark | undefined,
): Change {
  return {
    urn,
    involvedProperties: (current) => (current?.assignments ?? []).map(({ propertyUrn }) => propertyUrn),
    // biome-ignore lint/correctness/useYield: one step
    *decide(current, context) {
      const wished = aspects(current);
      if (!wished.ok) return refusal('invalid', wished.violations);
      const parsed = parseAspects(context.settings, urn, wished.value);
      if (!parsed.ok) return refusal('invalid', parsed.violations);
      const write = { urn, condition: 'upsert' as const, ...parsed.value, ...(owner === undefined ? {} : { owner }) };
      return decideWrite(write, current, context);
    },
  };
}
