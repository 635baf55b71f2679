import { createHash } from 'node:crypto';
import type { Confirmation, HeldDeletions } from '../../../model/wire/resource-record.ts';
import { changeRecord } from '../../store/change-record.ts';
import { allRecords } from '../../store/pages.ts';
import type { Fence } from '../../store/port.ts';
import type { CatalogParts } from '../parts.ts';
import { nameOf } from './resources.ts';

/** Deletions that operators hold back until a person confirms them: a record a source. */

const KIND = 'heldResources';

type Held = HeldDeletions['resources'][number];

/** Reports which deletions a source holds back; none clears the report. What is confirmed stays so while it is held. */
export async function holdDeletions(
  parts: CatalogParts,
  source: string,
  resources: readonly Omit<Held, 'confirmed'>[],
  fence?: Fence,
): Promise<HeldDeletions> {
  let held = setOf(source, []);
  await changeRecord(parts.store.records, { kind: KIND, id: source, fence }, (standing: HeldDeletions | undefined) => {
    const confirmed = new Set(standing?.resources.filter((one) => one.confirmed).map(nameOf));
    held = setOf(
      source,
      resources.map((one) => ({ ...one, confirmed: confirmed.has(nameOf(one)) })),
    );
    return resources.length === 0 ? undefined : held;
  });
  return held;
}

export async function listHeldDeletions(parts: CatalogParts, source: string | undefined): Promise<HeldDeletions[]> {
  const all = await Array.fromAsync(allRecords<HeldDeletions>(parts.store, KIND), ({ body }) => body);
  return source === undefined ? all : all.filter((held) => held.source === source);
}

/** How many deletions of each source that holds some wait for somebody. */
export async function countHeldDeletions(parts: CatalogParts): Promise<ReadonlyMap<string, number>> {
  const sets = await listHeldDeletions(parts, undefined);
  return new Map(sets.map(({ source, resources }) => [source, resources.filter((one) => !one.confirmed).length]));
}

/** A person confirms. @returns what is confirmed by that; nothing when what was meant is not held (any more). */
export async function confirmDeletions(parts: CatalogParts, confirmation: Confirmation): Promise<HeldDeletions[]> {
  const { source, id, resources, all } = confirmation;
  const names = new Set(resources?.map(nameOf));
  let confirmed: readonly Held[] = [];
  await changeRecord(parts.store.records, { kind: KIND, id: source }, (standing: HeldDeletions | undefined) => {
    if (standing === undefined) return undefined;
    const isMeant = (one: Held): boolean => all === true || standing.id === id || names.has(nameOf(one));
    const next = standing.resources.map((one) => (isMeant(one) ? { ...one, confirmed: true } : one));
    confirmed = next.filter(isMeant);
    return confirmed.length === 0 ? standing : setOf(source, next);
  });
  return confirmed.length === 0 ? [] : [setOf(source, confirmed)];
}

function setOf(source: string, resources: readonly Held[]): HeldDeletions {
  const names = resources.map(nameOf).sort().join('\n');
  const id = createHash('sha256').update(names).digest('hex').slice(0, 16);
  return { source, id, resources: [...resources], confirmed: resources.every(({ confirmed }) => confirmed) };
}
