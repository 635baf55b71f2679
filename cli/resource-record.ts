import type { Condition } from '../model/resource/status.ts';

/** A resource as the server shows it. */
export interface ResourceRecord {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly source: string;
  /** When the server first recorded it, ms since 1970. */
  readonly created: number;
  /** `file:line`. */
  readonly location?: string;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Deletions that an operator does not carry out before a person confirms them. */
export interface HeldDeletions {
  readonly source: string;
  readonly id: string;
  readonly reason: string;
  readonly confirmed: boolean;
  readonly resources: readonly Pick<ResourceRecord, 'kind' | 'namespace' | 'name'>[];
}

export type ResourceState = 'Ready' | 'Stalled' | 'Paused' | 'Waiting' | 'Unknown';

/** How a resource is, in one word, with the reason and the message of the condition that says so. */
export function stateOf({ status }: ResourceRecord): { state: ResourceState; reason: string; message: string } {
  const holding = (type: string) => status?.conditions?.find((one) => one.type === type && one.status === 'True');
  const found = [
    ['Stalled', holding('Stalled')],
    ['Paused', holding('Paused')],
    ['Ready', holding('Ready')],
    ['Waiting', holding('Reconciling')],
  ] as const;
  for (const [state, condition] of found) if (condition !== undefined) return { ...condition, state };
  return { state: 'Unknown', reason: '', message: 'no operator has reported yet' };
}
