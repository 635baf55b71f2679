import { indexChangeOf } from '../../api-server/catalog/indexing/index-entry.ts';
import { propertyState } from '../../api-server/catalog/registry/registry.ts';
import type { SearchIndex, ValueCount } from '../../api-server/search/port.ts';
import { allEntities } from '../../api-server/store/pages.ts';
import type { EntityDocument, Store } from '../../api-server/store/port.ts';
import { ENTITY_TYPES } from '../../model/entity-type.ts';
import { compareText } from './memory-search-index.ts';

const PAGE = 500;

/**
 * Compares everything: each assignment with the definitions there are, each document with its index entry, and each
 * field's values and their counts in the index with what the documents say.
 * @returns what is wrong, a line each.
 */
export async function checkCatalogue(store: Store, search: SearchIndex): Promise<string[]> {
  const documents = await allDocuments(store);
  return [
    ...danglingAssignments(documents),
    ...(await wrongVersions(documents, search)),
    ...(await wrongValues(documents, search)),
    ...(await wrongTotals(documents, search)),
  ];
}

async function allDocuments(store: Store): Promise<EntityDocument[]> {
  const documents = await Array.fromAsync(allEntities(store));
  return documents.filter(({ deleted }) => deleted === undefined);
}

function danglingAssignments(documents: readonly EntityDocument[]): string[] {
  const epochs = new Map(documents.map((document) => [document.urn, propertyState(document)?.epoch]));
  return documents.flatMap(({ urn, assignments }) =>
    assignments
      .filter(({ propertyUrn, epoch }) => epochs.get(propertyUrn) !== epoch)
      .map(({ propertyUrn, epoch }) => `${urn} holds ${propertyUrn} of the ended epoch ${epoch}`),
  );
}

async function wrongVersions(documents: readonly EntityDocument[], search: SearchIndex): Promise<string[]> {
  const entries: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await search.scan(after, PAGE);
    entries.push(...page.map(({ urn, incarnation, revision }) => `${urn} ${incarnation} ${revision}`));
    after = page.at(-1)?.urn;
    if (page.length < PAGE) break;
  }
  const wanted = documents.map(({ urn, incarnation, revision }) => `${urn} ${incarnation} ${revision}`);
  const indexed = new Set(entries);
  const stored = new Set(wanted);
  return [
    ...wanted.filter((version) => !indexed.has(version)).map((version) => `the index lacks ${version}`),
    ...entries.filter((version) => !stored.has(version)).map((version) => `the index has ${version}`),
  ];
}

async function wrongValues(documents: readonly EntityDocument[], search: SearchIndex): Promise<string[]> {
  const wanted = new Map<string, Map<string | number, number>>();
  for (const change of documents.map(indexChangeOf)) {
    if (change.kind !== 'put') continue;
    for (const { field, values } of change.entry.fields) {
      const counts = wanted.get(field) ?? new Map<string | number, number>();
      wanted.set(field, counts);
      for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const problems: string[] = [];
  for (const field of new Set([...wanted.keys(), ...(await search.fields())])) {
    const limit = documents.length * 100 + 1_000;
    const request = { ...everything, field, limit };
    const found = printCounts(await search.aggregate(request));
    const counts = [...(wanted.get(field) ?? [])].map(([value, count]) => ({ value, count }));
    if (found !== printCounts(counts)) problems.push(`field ${field} has ${found}, not ${printCounts(counts)}`);
  }
  return problems;
}

async function wrongTotals(documents: readonly EntityDocument[], search: SearchIndex): Promise<string[]> {
  const total = async (includeRemoved: boolean) =>
    (await search.search({ ...everything, includeRemoved, order: 'ascending', limit: 0 })).total;
  const living = documents.filter(({ aspects }) => aspects.status?.value.removed !== true).length;
  const found = [await total(true), await total(false)];
  const wanted = [documents.length, living];
  return String(found) === String(wanted) ? [] : [`searches find ${found} (all, not removed), not ${wanted}`];
}

const everything = {
  entityTypes: ENTITY_TYPES.map(({ name }) => name),
  condition: { kind: 'all' },
  includeRemoved: true,
} as const;

function printCounts(counts: readonly ValueCount[]): string {
  return counts
    .map(({ value, count }) => `${JSON.stringify(value)}: ${count}`)
    .sort(compareText)
    .join(', ')
    .slice(0, 2_000);
}
