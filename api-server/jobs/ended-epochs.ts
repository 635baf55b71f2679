import { changeRecord } from '../store/change-record.ts';
import { allRecords } from '../store/pages.ts';
import type { Store } from '../store/port.ts';

/**
 * Epochs whose assignments have been collected, by property: the search index keeps their fields until it is rebuilt, and
 * by then nothing else knows what they belonged to.
 */

const KIND = 'endedEpoch';

interface EndedEpoch {
  readonly propertyUrn: string;
}

export async function rememberEndedEpoch(store: Store, epoch: string, propertyUrn: string): Promise<void> {
  const body: EndedEpoch = { propertyUrn };
  await store.records.put(KIND, epoch, body, undefined);
}

/** @returns property URNs by epoch. */
export async function endedEpochs(store: Store): Promise<Map<string, string>> {
  const records = await Array.fromAsync(allRecords<EndedEpoch>(store, KIND));
  return new Map(records.map(({ id, body }) => [id, body.propertyUrn]));
}

export async function forgetEndedEpoch(store: Store, epoch: string): Promise<void> {
  await changeRecord(store.records, { kind: KIND, id: epoch }, () => undefined);
}
