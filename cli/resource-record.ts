import * as z from 'zod';
import type { ResourceRecord } from '../model/wire/resource-record.ts';

/** What of a condition people are told. */
const conditionsSchema = z.array(
  z.object({ type: z.string(), status: z.string(), reason: z.string(), message: z.string() }),
);

export type ResourceState = 'Ready' | 'Stalled' | 'Paused' | 'Waiting' | 'Unknown';

/** How a resource is, in one word, with the reason and the message of the condition that says so. */
export function stateOf({ status }: ResourceRecord): { state: ResourceState; reason: string; message: string } {
  const { data: conditions = [] } = conditionsSchema.safeParse(status?.conditions);
  const holding = (type: string) => conditions.find((one) => one.type === type && one.status === 'True');
  const found = [
    ['Stalled', holding('Stalled')],
    ['Paused', holding('Paused')],
    ['Ready', holding('Ready')],
    ['Waiting', holding('Reconciling')],
  ] as const;
  for (const [state, condition] of found) if (condition !== undefined) return { ...condition, state };
  return { state: 'Unknown', reason: '', message: 'no operator has reported yet' };
}
