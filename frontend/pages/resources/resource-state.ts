import type { Condition } from '../../../model/resource/status.ts';
import type { ResourceRecord } from '../../../model/wire/resource-record.ts';

/** How a resource is, by the rules of kstatus; `Drifted` is only compared, and differs. */
export const RESOURCE_STATES = ['Ready', 'Reconciling', 'Stalled', 'Paused', 'Drifted', 'Unknown'] as const;
export type ResourceState = (typeof RESOURCE_STATES)[number];

export interface JudgedResource {
  readonly record: ResourceRecord;
  readonly state: ResourceState;
  /** Of the condition that says most. */
  readonly reason: string;
  readonly message: string;
  readonly conditions: readonly Condition[];
}

/** @param record its status is what some operator has reported: read with care. */
export function judge(record: ResourceRecord): JudgedResource {
  const reported = (record.status as { conditions?: unknown } | undefined)?.conditions;
  const conditions = Array.isArray(reported) ? (reported as Condition[]) : [];
  const holding = (type: string) => conditions.find((each) => each.type === type && each.status === 'True');
  const telling =
    holding('Paused') ?? holding('Stalled') ?? holding('Reconciling') ?? holding('Drifted') ?? holding('Ready');
  const shown = telling ?? conditions.find(({ type }) => type === 'Ready');
  const state = RESOURCE_STATES.find((each) => each === telling?.type) ?? 'Unknown';
  return { record, state, reason: shown?.reason ?? '', message: shown?.message ?? '', conditions };
}

/** Neither ready nor paused by somebody's wish. */
export function needsAttention({ state }: JudgedResource): boolean {
  return state !== 'Ready' && state !== 'Paused';
}

/** What the status counts, beside the conditions, for people. */
export function factsOfStatus(
  status: ResourceRecord['status'],
): readonly { readonly name: string; readonly text: string }[] {
  const { conditions: _, observedGeneration: _g, ...rest } = status ?? {};
  return Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => ({ name: FACTS[name] ?? name, text: textOf(value) }));
}

const FACTS: Readonly<Record<string, string>> = {
  urn: 'Property',
  holders: 'Holders',
  cascade: 'Removal of values',
  targets: 'Datasets meant',
  applied: 'Datasets finished',
  conflicts: 'Values of others',
  drift: 'Repaired drift',
  lastHandledReconcileAt: 'Last asked to look',
};

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${textOf(each)}`)
    .join(', ');
}
