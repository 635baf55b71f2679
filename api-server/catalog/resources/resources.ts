import { createHash } from 'node:crypto';
import { allRecords } from '../../store/pages.ts';
import type { Fence, StoredRecord } from '../../store/port.ts';
import type { CatalogParts } from '../parts.ts';

/**
 * What operators report about their resources: who they are, since when the server knows them, and their status. Kept
 * here so that it can be read in one place and survives a restart of the operator. What an operator writes here may carry
 * its fence; all of it then throws StoreError `fenced` once another leads.
 */

const KIND = 'resource';
const HELD_KIND = 'heldDeletions';
const PAGE = 1000;

export interface ResourceName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ResourceRecord extends ResourceName {
  readonly source: string;
  /** Grows with each change of the spec. */
  readonly generation: number;
  /** When the server first recorded it (ms): its age when two resources claim one thing. */
  readonly created: number;
  readonly specHash: string;
  /** Where it comes from, such as `file:line`. */
  readonly location?: string;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface RegisteredResource extends ResourceName {
  readonly specHash: string;
  readonly location?: string | undefined;
}

/** Records resources of a source that were seen. New ones of one call share one moment of creation. */
export async function registerResources(
  parts: CatalogParts,
  source: string,
  resources: readonly RegisteredResource[],
  fence?: Fence,
): Promise<ResourceRecord[]> {
  const created = parts.now();
  return Promise.all(
    resources.map(({ kind, namespace, name, specHash, location }) =>
      updateResource(parts, { kind, namespace, name }, source, fence, (previous) => {
        const generation = previous === undefined ? 1 : previous.generation + (previous.specHash === specHash ? 0 : 1);
        const { location: _old, ...kept } = previous ?? { source, kind, namespace, name, created };
        return { ...kept, generation, specHash, ...(location === undefined ? {} : { location }) };
      }),
    ),
  );
}

/** Stores the status that an operator reports. */
export function reportResource(
  parts: CatalogParts,
  resource: ResourceName,
  source: string,
  status: Readonly<Record<string, unknown>>,
  location: string | undefined,
  fence?: Fence,
): Promise<ResourceRecord> {
  return updateResource(parts, resource, source, fence, (previous) => ({
    ...(previous ?? { ...resource, source, created: parts.now(), generation: 1, specHash: '' }),
    status,
    ...(location === undefined ? {} : { location }),
  }));
}

/** Forgets a resource of a source, or of all. */
export async function forgetResource(
  parts: CatalogParts,
  resource: ResourceName,
  source: string | undefined,
  fence?: Fence,
): Promise<void> {
  for (const { id, revision } of await recordsOf(parts, resource, source)) {
    await parts.store.records.delete(KIND, id, revision, fence);
  }
}

/** A resource of a source; without one, the first by the source's name. */
export async function readResource(
  parts: CatalogParts,
  resource: ResourceName,
  source: string | undefined,
): Promise<ResourceRecord | undefined> {
  return (await recordsOf(parts, resource, source))[0]?.body;
}

async function recordsOf(
  { store }: CatalogParts,
  resource: ResourceName,
  source: string | undefined,
): Promise<StoredRecord<ResourceRecord>[]> {
  const prefix = `${nameOf(resource)}/`;
  const records = await store.records.list<ResourceRecord>(KIND, prefix, PAGE);
  return records.filter(({ id, body }) => id.startsWith(prefix) && (source === undefined || body.source === source));
}

/** All resources, of one source or of all, by kind, namespace and name. */
export async function listResources(parts: CatalogParts, source: string | undefined): Promise<ResourceRecord[]> {
  const records = await Array.fromAsync(allRecords<ResourceRecord>(parts.store, KIND), ({ body }) => body);
  return records.filter((body) => source === undefined || body.source === source);
}

/** Deletions that an operator does not dare to carry out before a person confirms them. */
export interface HeldDeletions {
  readonly source: string;
  /** Another set of resources has another id, and has to be confirmed anew. */
  readonly id: string;
  readonly resources: readonly ResourceName[];
  readonly reason: string;
  readonly confirmed: boolean;
}

/** Reports which deletions a source holds back; none clears the report. */
export async function holdDeletions(
  parts: CatalogParts,
  source: string,
  resources: readonly ResourceName[],
  reason: string,
  fence?: Fence,
): Promise<HeldDeletions> {
  const id = createHash('sha256').update(resources.map(nameOf).sort().join('\n')).digest('hex').slice(0, 16);
  for (;;) {
    const record = await parts.store.records.get<HeldDeletions>(HELD_KIND, source);
    const confirmed = record?.body.id === id && record.body.confirmed;
    const held: HeldDeletions = { source, id, resources, reason, confirmed };
    const done =
      resources.length > 0
        ? (await parts.store.records.put(HELD_KIND, source, held, record?.revision, fence)) !== undefined
        : record === undefined || (await parts.store.records.delete(HELD_KIND, source, record.revision, fence));
    if (done) return held;
  }
}

export async function listHeldDeletions(parts: CatalogParts, source: string | undefined): Promise<HeldDeletions[]> {
  const all = await Array.fromAsync(allRecords<HeldDeletions>(parts.store, HELD_KIND), ({ body }) => body);
  return source === undefined ? all : all.filter((held) => held.source === source);
}

/**
 * A person confirms what is held back now, or the very set that was shown with `id`.
 * @returns what was confirmed.
 */
export async function confirmDeletions(
  parts: CatalogParts,
  source: string | undefined,
  id: string | undefined,
): Promise<HeldDeletions[]> {
  const confirmed: HeldDeletions[] = [];
  for (const { source: each } of await listHeldDeletions(parts, source)) {
    for (;;) {
      const record = await parts.store.records.get<HeldDeletions>(HELD_KIND, each);
      if (record === undefined || (id !== undefined && record.body.id !== id)) break;
      const body = { ...record.body, confirmed: true };
      if ((await parts.store.records.put(HELD_KIND, each, body, record.revision)) === undefined) continue;
      confirmed.push(body);
      break;
    }
  }
  return confirmed;
}

function nameOf({ kind, namespace, name }: ResourceName): string {
  return `${kind}/${namespace}/${name}`;
}

/** Two sources may each have a resource of one name. */
function idOf(resource: ResourceName, source: string): string {
  return `${nameOf(resource)}/${source}`;
}

async function updateResource(
  parts: CatalogParts,
  resource: ResourceName,
  source: string,
  fence: Fence | undefined,
  next: (previous: ResourceRecord | undefined) => ResourceRecord,
): Promise<ResourceRecord> {
  const id = idOf(resource, source);
  for (;;) {
    const record = await parts.store.records.get<ResourceRecord>(KIND, id);
    const body = next(record?.body);
    if ((await parts.store.records.put(KIND, id, body, record?.revision, fence)) !== undefined) return body;
  }
}
