import { findAspect, parsePlainAspect } from '../../../model/aspect.ts';
import { type StructuredProperties, structuredPropertiesSchema } from '../../../model/assignment.ts';
import { type Definition, parseDefinition } from '../../../model/definition.ts';
import { checkShape, withoutNulls } from '../../../model/shape.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { type Violation, violation } from '../../../model/violation.ts';
import { invalid, refusedBy } from '../errors.ts';
import type { CatalogSettings } from '../parts.ts';
import type { EntityWrite } from './entity-write.ts';

/** The part of an {@link EntityWrite} that its aspects make. */
export type ParsedAspects = Pick<EntityWrite, 'plain' | 'namesKey' | 'definition' | 'assignments'>;

/** Checks the shape of one aspect. @throws CatalogError naming every violated rule, or an aspect the type does not have. */
export function parseAspect(settings: CatalogSettings, urn: ParsedUrn, name: string, body: unknown): ParsedAspects {
  return parseAspects(settings, urn, { [name]: body });
}

/** Checks the shapes of several aspects of one entity and reports the violations of all of them. */
export function parseAspects(
  settings: CatalogSettings,
  urn: ParsedUrn,
  bodies: Readonly<Record<string, unknown>>,
): ParsedAspects {
  const violations: Violation[] = [];
  const plain: Record<string, Record<string, unknown>> = {};
  let definition: Definition | undefined;
  let assignments: StructuredProperties | undefined;
  const single = Object.keys(bodies).length === 1;
  const seen = new Set<string>();
  for (const [given, body] of Object.entries(bodies)) {
    const aspect = requireAspect(urn, given);
    if (seen.has(aspect)) violations.push(violation('duplicate', given, `the aspect ${aspect} is there twice`));
    seen.add(aspect);
    const report = (found: readonly Violation[]) => {
      violations.push(...found.map((each) => (single ? each : { ...each, path: joined(aspect, each.path) })));
    };
    if (aspect === 'propertyDefinition') {
      const checked = parseDefinition(body, urn, settings.namespaceWord);
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
  if (violations.length > 0) throw invalid(violations);
  return {
    plain,
    ...(seen.has(urn.entityType.keyAspect) ? { namesKey: true } : {}),
    ...(definition === undefined ? {} : { definition }),
    ...(assignments === undefined ? {} : { assignments }),
  };
}

/** The canonical name of an aspect. @throws CatalogError when entities of the type have no such aspect. */
export function requireAspect(urn: ParsedUrn, name: string): string {
  const aspect = findAspect(urn.entityType, name);
  if (aspect === undefined)
    throw refusedBy('unknown-aspect', `Unknown aspect ${name} for entity ${urn.entityType.name}`);
  return aspect;
}

function joined(aspect: string, path: string): string {
  return path === '' ? aspect : `${aspect}.${path}`;
}
