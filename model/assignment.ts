import * as z from 'zod';
import { auditStampSchema } from './audit-stamp.ts';
import { type Definition, entityTypesOfDefinition, valueRuleOf } from './definition.ts';
import { sentList } from './sent-list.ts';
import { printTypedValue, sameTypedValues, type TypedValue, typedValueKey } from './typed-value.ts';
import { typedValueSchema } from './typed-value-schema.ts';
import { tryParseUrn } from './urn.ts';
import { checkValue } from './value-rules.ts';
import { addViolation, addViolations, shorten, type Violation, violation } from './violation.ts';

export const assignmentSchema = z
  .strictObject({
    propertyUrn: z
      .string()
      .meta({ pattern: '^urn:li:structuredProperty:' })
      .describe('URN of a structured property; at most one assignment of a property on an entity'),
    values: sentList(typedValueSchema).describe('The values, in the order in which they are returned'),
    created: auditStampSchema.optional(),
    lastModified: auditStampSchema.optional(),
    attribution: z.record(z.string(), z.unknown()).optional().describe('Kept and returned as sent'),
  })
  .meta({ id: 'Assignment', description: "One property's values on one entity" });

/** The `structuredProperties` aspect as it is sent and returned. */
export const structuredPropertiesSchema = z
  .strictObject({ properties: sentList(assignmentSchema) })
  .meta({ id: 'StructuredProperties', description: 'All assignments of an entity' });

export type Assignment = z.output<typeof assignmentSchema>;
export type StructuredProperties = z.output<typeof structuredPropertiesSchema>;

/** What the rules need to know of the property that an assignment names. */
export interface AssignedProperty {
  readonly definition: Definition;
  /** Soft deleted. */
  readonly removed: boolean;
}

export interface AssignmentContext {
  /** Canonical name of the entity's type. */
  readonly entityType: string;
  /** Undefined when the property has no definition. */
  readonly property: (propertyUrn: string) => AssignedProperty | undefined;
  /** What stands on the entity now under the property's current epoch; sent again unchanged it is always fine. */
  readonly standing: (propertyUrn: string) => Assignment | undefined;
  /** `warn`: an entity type outside the definition's `entityTypes` is reported as a warning, not as a violation. */
  readonly entityTypesCheck: 'enforce' | 'warn';
}

export interface CheckedAssignments {
  /** In stored form; complete only when there are no violations. */
  readonly assignments: Assignment[];
  readonly violations: Violation[];
  readonly warnings: Violation[];
}

/** Checks assignments that are to be written, one by one and against each other, and reports every violated rule. */
export function checkAssignments(assignments: readonly Assignment[], context: AssignmentContext): CheckedAssignments {
  const result: CheckedAssignments = { assignments: [], violations: [], warnings: [] };
  const seen = new Set<string>();
  for (const [index, assignment] of assignments.entries()) {
    const path = `properties[${index}]`;
    if (seen.has(assignment.propertyUrn)) {
      const problem = `Property: ${shorten(assignment.propertyUrn, 300)} has multiple entries`;
      addViolation(result.violations, violation('duplicate', path, problem));
    }
    seen.add(assignment.propertyUrn);
    result.assignments.push(checkAssignment(path, assignment, context, result));
  }
  return result;
}

function checkAssignment(
  path: string,
  assignment: Assignment,
  context: AssignmentContext,
  { violations, warnings }: CheckedAssignments,
): Assignment {
  const urn = assignment.propertyUrn;
  const parsed = tryParseUrn(urn);
  if (parsed?.entityType.name !== 'structuredProperty') {
    const problem = parsed === undefined ? 'Invalid urn!' : 'Unexpected entity type, expected structuredProperty';
    addViolation(violations, violation('invalid-urn', `${path}.propertyUrn`, `${problem}: ${shorten(urn, 300)}`));
    return assignment;
  }
  const property = context.property(urn);
  if (property === undefined) {
    const problem = `Unexpected null value found for ${urn}: the property has no definition`;
    addViolation(violations, violation('unknown-property', path, problem));
    return assignment;
  }
  if (property.removed) {
    const problem = `Cannot apply a soft deleted Structured Property value: ${urn}`;
    addViolation(violations, violation('soft-deleted', path, problem));
    return assignment;
  }
  const { values, problems } = checkValues(path, assignment.values, property.definition, urn);
  const standing = context.standing(urn);
  if (standing !== undefined && sameTypedValues(standing.values, values)) return { ...assignment, values };
  addViolations(violations, problems);
  if (standing !== undefined && property.definition.immutable === true) {
    addViolation(violations, violation('immutable-value', path, `Cannot mutate an immutable property: ${urn}`));
  }
  const entityTypes = entityTypesOfDefinition(property.definition);
  if (!entityTypes.includes(context.entityType)) {
    const found = violation(
      'wrong-entity-type',
      path,
      `${urn} is for [${entityTypes.join(', ')}], not for entity type ${context.entityType}`,
    );
    addViolation(context.entityTypesCheck === 'warn' ? warnings : violations, found);
  }
  return { ...assignment, values };
}

function checkValues(
  path: string,
  sent: readonly TypedValue[],
  definition: Definition,
  urn: string,
): { values: TypedValue[]; problems: Violation[] } {
  const problems: Violation[] = [];
  if (definition.cardinality !== 'MULTIPLE' && sent.length > 1) {
    problems.push(
      violation(
        'too-many-values',
        `${path}.values`,
        `Property: ${urn} has cardinality 1, but ${sent.length} values were given`,
      ),
    );
  }
  const rule = valueRuleOf(definition);
  const allowed = definition.allowedValues;
  const allowedKeys = allowed === undefined ? undefined : new Set(allowed.map(({ value }) => typedValueKey(value)));
  const values = sent.map((value, index) => {
    const place = `${path}.values[${index}]`;
    const checked = checkValue(rule, value);
    if ('problem' in checked) {
      addViolation(problems, violation('wrong-type', place, `Property: ${urn}, ${checked.problem}`));
      return value;
    }
    if (allowed !== undefined && allowedKeys?.has(typedValueKey(checked.value)) === false) {
      addViolation(
        problems,
        violation('not-allowed', place, `Property: ${urn}, ${notAllowed(checked.value, allowed)}`),
      );
    }
    return checked.value;
  });
  return { values, problems };
}

function notAllowed(value: TypedValue, allowed: NonNullable<Definition['allowedValues']>): string {
  const shown = allowed.slice(0, 20).map((candidate) => printTypedValue(candidate.value));
  const more = allowed.length > shown.length ? `, and ${allowed.length - shown.length} more` : '';
  return `value: ${printTypedValue(value)} should be one of [${shown.join(', ')}${more}]`;
}
