import { findAspect, parsePlainAspect } from '../aspect.ts';
import { type StructuredProperties, structuredPropertiesSchema } from '../assignment.ts';
import { type Definition, parseDefinition } from '../definition.ts';
import { tooDeep } from '../json-depth.ts';
import { accepted, type Checked, checkShape, refused, withoutNulls } from '../shape.ts';
import type { ParsedUrn } from '../urn.ts';
import { addViolation, type Violation, violation } from '../violation.ts';
import type { DecisionSettings } from './change.ts';

/** Aspects of one entity, as they were sent, in the right shape. */
export interface ParsedAspects {
  /** Aspects without rules of their own, `status` among them. */
  readonly plain: Readonly<Record<string, Record<string, unknown>>>;
  /** The key aspect is among what was sent: it says what the URN says, and is never stored. */
  readonly namesKey?: boolean;
  readonly definition?: Definition;
  /** The whole `structuredProperties` aspect. */
  readonly assignments?: StructuredProperties;
}

/** Checks the shapes of the aspects of one entity, by the names under which they were sent, and reports all violations. */
export function parseAspects(
  { namespaceWord }: Pick<DecisionSettings, 'namespaceWord'>,
  urn: ParsedUrn,
  bodies: Readonly<Record<string, unknown>>,
): Checked<ParsedAspects> {
  const violations: Violation[] = [];
  const plain: Record<string, Record<string, unknown>> = {};
  let definition: Definition | undefined;
  let assignments: StructuredProperties | undefined;
  const single = Object.keys(bodies).length === 1;
  const seen = new Set<string>();
  for (const [given, body] of Object.entries(bodies)) {
    const aspect = findAspect(urn.entityType, given);
    if (aspect === undefined) return refused(unknownAspect(urn, given));
    if (seen.has(aspect))
      addViolation(violations, violation('duplicate', given, `the aspect ${aspect} is there twice`));
    seen.add(aspect);
    const report = (found: readonly Violation[]) => {
      for (const each of found) addViolation(violations, single ? each : inAspect(aspect, each));
    };
    const deep = tooDeep(body);
    if (deep.length > 0) {
      report(deep);
    } else if (aspect === 'propertyDefinition') {
      const checked = parseDefinition(body, urn, namespaceWord);
      if (checked.ok) definition = checked.value;
      else report(checked.violations);
    } else if (aspect === 'structuredProperties') {
      const checked = checkShape(structuredPropertiesSchema, withoutNulls(body));
      if (checked.ok) assignments = checked.value;
      else report(checked.violations);
    } else {
      const checked = parsePlainAspect(aspect, body, urn);
      if (!checked.ok) report(checked.violations);
      // A key aspect says what the URN says: it is read from the URN and never stored.
      else if (aspect !== urn.entityType.keyAspect) plain[aspect] = checked.value;
    }
  }
  if (violations.length > 0) return { ok: false, violations };
  return accepted({
    plain,
    ...(seen.has(urn.entityType.keyAspect) ? { namesKey: true } : {}),
    ...(definition === undefined ? {} : { definition }),
    ...(assignments === undefined ? {} : { assignments }),
  });
}

/** Entities of this type have no such aspect. */
export function unknownAspect({ entityType }: ParsedUrn, name: string): Violation {
  return violation('unknown-aspect', '', `Unknown aspect ${name} for entity ${entityType.name}`);
}

/** Says of a violation which aspect it is about. */
export function inAspect(aspect: string, found: Violation): Violation {
  return { ...found, path: found.path === '' ? aspect : `${aspect}.${found.path}` };
}
