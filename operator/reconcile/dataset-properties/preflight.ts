import { checkAssignments } from '../../../model/assignment.ts';
import type { Violation } from '../../../model/violation.ts';
import type { EntityPlan } from './plan-entity.ts';
import type { DatasetWork } from './work.ts';

export interface Preflight {
  /** Violated rules, each with its place in the manifest, once. */
  readonly violations: readonly Violation[];
  /** Entities of a type that a property is not meant for: whether that is allowed, the server alone knows. */
  readonly doubtful: ReadonlySet<string>;
}

/**
 * Checks everything that is about to be written against the definitions, by the rules that the server has, before the
 * first write: a manifest that is wrong in one place must not be carried out in the others.
 */
export function preflight({ plans, wanted, properties }: DatasetWork): Preflight {
  const violations = new Map<string, Violation>();
  const doubtful = new Set<string>();
  for (const plan of plans) {
    const additions = plan.changes.filter((change) => change.op === 'add');
    const result = checkAssignments(
      additions.map(({ propertyUrn, values }) => ({ propertyUrn, values: [...values] })),
      {
        entityType: plan.entity.fieldPath === undefined ? 'dataset' : 'schemaField',
        property: (urn) => properties.get(urn),
        standing: (urn) => plan.observed.find(({ propertyUrn }) => propertyUrn === urn),
        entityTypesCheck: 'warn',
      },
    );
    if (result.warnings.length > 0) doubtful.add(plan.entity.urn);
    for (const each of result.violations) {
      const path = placeOf(each.path, plan);
      violations.set(`${path}: ${each.message}`, { ...each, path });
    }
  }
  return { violations: [...violations.values()], doubtful };

  /** `properties[1].values[0]` of what is written is, say, `spec.fields[0].properties[3].values[0]` of the manifest. */
  function placeOf(path: string, { entity, changes }: EntityPlan): string {
    const [, index, rest = ''] = /^properties\[(\d+)\](.*)$/su.exec(path) ?? [];
    const change = changes.filter(({ op }) => op === 'add')[Number(index)];
    const origin = wanted.find(
      ({ propertyUrn, fieldPath }) => propertyUrn === change?.propertyUrn && fieldPath === entity.fieldPath,
    );
    return origin === undefined ? path : `${origin.path}${rest}`;
  }
}
