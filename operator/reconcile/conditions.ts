import { canonicalJson } from '../../model/canonical-json.ts';
import { type Condition, findCondition, LONGEST_MESSAGE, type ResourceStatus } from '../../model/resource/status.ts';
import { cut } from '../../process/text.ts';
import type { SourceResource } from '../source/port.ts';
import type { Ended, Why } from './outcome.ts';
import type { Report } from './report.ts';

type Said = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** A character may count as two, depending on who counts. */
const MOST_CHARACTERS = LONGEST_MESSAGE / 2;

/** What a status says beside its conditions, and stays when it is not said anew. */
const REPORTED = [
  'urn',
  'holders',
  'targets',
  'applied',
  'conflicts',
  'cascade',
  'tokenId',
  'expiresAt',
  'renewsAt',
  'secretName',
  'lastHandledReconcileAt',
] as const satisfies readonly (keyof Report & keyof ResourceStatus)[];
const PARTS = [...REPORTED, 'drift'] as const;

/** Whether the wish of this generation was in place when the resource was last looked at. */
export function isSettled({ status, generation }: SourceResource): boolean {
  return findCondition(status, 'Ready')?.status === 'True' && status?.observedGeneration === generation;
}

/**
 * The status at first sight, before anything else is asked or done: without a Ready condition, tools that judge by
 * kstatus would take the resource for current. `undefined`: it has one.
 */
export function firstStatus(previous: ResourceStatus | undefined, now: Date): ResourceStatus | undefined {
  if (findCondition(previous, 'Ready') !== undefined) return undefined;
  const why = { reason: 'Progressing', message: 'not looked at yet' };
  const said: Said[] = [
    { type: 'Ready', status: 'Unknown', ...why },
    { type: 'Reconciling', status: 'True', ...why },
  ];
  return { ...previous, conditions: stamp(said, previous, undefined, now) };
}

/**
 * The status after a reconcile of `generation`. It equals the previous one when there is nothing new to say: a
 * transition time changes with the condition's status alone.
 */
export function nextStatus(
  previous: ResourceStatus | undefined,
  outcome: Ended,
  report: Report,
  generation: number,
  now: Date,
): ResourceStatus {
  if (outcome.kind === 'done' && outcome.as === 'paused') return pausedStatus(previous, outcome.why, now);
  const conditions = stamp([...progress(outcome), ...drifted(report)], previous, generation, now);
  const known: Partial<ResourceStatus> = {
    ...previous,
    ...definedParts(report),
    ...repaired(previous, report, now),
  };
  return {
    observedGeneration: generation,
    ...Object.fromEntries(PARTS.flatMap((part) => (known[part] === undefined ? [] : [[part, known[part]]]))),
    conditions,
  };
}

export function sameStatus(one: ResourceStatus | undefined, other: ResourceStatus | undefined): boolean {
  return one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other);
}

function progress(outcome: Ended): Said[] {
  const { why } = outcome;
  switch (outcome.kind) {
    case 'done':
      return [{ type: 'Ready', status: 'True', ...why }];
    case 'requeue':
      return [
        { type: 'Ready', status: 'False', ...why },
        { type: 'Reconciling', status: 'True', ...why },
      ];
    case 'terminal':
      return [
        { type: 'Ready', status: 'False', ...why },
        { type: 'Stalled', status: 'True', ...why },
      ];
  }
}

function drifted({ differences }: Report): Said[] {
  if (differences === undefined) return [];
  const found = differences.length > 0;
  const message = found ? differences.join('; ') : 'the catalogue is as wished';
  return [{ type: 'Drifted', status: found ? 'True' : 'False', reason: found ? 'Different' : 'Same', message }];
}

/** A paused resource keeps what was said of it last, its generation included: nothing has been judged since. */
function pausedStatus(previous: ResourceStatus | undefined, why: Why, now: Date): ResourceStatus {
  const judged = previous?.observedGeneration !== undefined;
  const kept = judged ? previous.conditions.filter(({ type }) => type !== 'Paused') : [];
  const ready: Said[] = judged ? [] : [{ type: 'Ready', status: 'Unknown', ...why }];
  const paused = stamp([...ready, { type: 'Paused', status: 'True', ...why }], previous, undefined, now);
  return { ...previous, conditions: [...kept, ...paused] };
}

function stamp(
  said: readonly Said[],
  previous: ResourceStatus | undefined,
  generation: number | undefined,
  now: Date,
): Condition[] {
  return said.map((condition) => {
    const before = findCondition(previous, condition.type);
    const since = before?.status === condition.status ? before.lastTransitionTime : now.toISOString();
    return {
      ...condition,
      message: cut(condition.message, MOST_CHARACTERS),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      lastTransitionTime: since,
    };
  });
}

function definedParts(report: Report): Partial<ResourceStatus> {
  return Object.fromEntries(REPORTED.flatMap((part) => (report[part] === undefined ? [] : [[part, report[part]]])));
}

function repaired(previous: ResourceStatus | undefined, { drift }: Report, now: Date): Partial<ResourceStatus> {
  if (drift.length === 0) return {};
  const count = (previous?.drift?.repaired ?? 0) + 1;
  return { drift: { repaired: count, last: now.toISOString(), message: cut(drift.join('; '), MOST_CHARACTERS) } };
}
