import type { ResourceId } from '../model/resource/identity.ts';
import { findCondition } from '../model/resource/status.ts';
import type { SourceProblem, SourceResource } from './source/port.ts';

export type RowState = 'ready' | 'waiting' | 'stalled' | 'paused' | 'deleting';

/** One resource as people see it. */
export interface ResourceRow extends ResourceId {
  readonly state: RowState;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly created: number;
}

export interface Snapshot {
  readonly rows: readonly ResourceRow[];
  readonly problems: readonly SourceProblem[];
}

const rows = new WeakMap<SourceResource, ResourceRow>();

/** The same row as long as the resource is the same. */
export function rowOf(resource: SourceResource): ResourceRow {
  const row = rows.get(resource) ?? makeRow(resource);
  rows.set(resource, row);
  return row;
}

function makeRow(resource: SourceResource): ResourceRow {
  const { kind, namespace, name } = resource.id;
  const { reason = 'Pending', message = '' } = decisive(resource) ?? {};
  return { kind, namespace, name, state: stateOf(resource), reason, message, created: resource.created };
}

function decisive({ status }: SourceResource) {
  return pausedIn(status) ?? findCondition(status, 'Ready');
}

function stateOf({ deleting, status, generation }: SourceResource): RowState {
  if (pausedIn(status) !== undefined) return 'paused';
  if (findCondition(status, 'Stalled')?.status === 'True') return 'stalled';
  if (deleting) return 'deleting';
  const ready = findCondition(status, 'Ready')?.status === 'True' && status?.observedGeneration === generation;
  return ready ? 'ready' : 'waiting';
}

function pausedIn(status: SourceResource['status']) {
  const paused = findCondition(status, 'Paused');
  return paused?.status === 'True' ? paused : undefined;
}
