import { MAX_STATUS_LENGTH } from '../../../model/limits.ts';
import type { Registration, ResourceName, ResourceRecord } from '../../../model/wire/resource-record.ts';
import { changeRecord } from '../../store/change-record.ts';
import { allRecords } from '../../store/pages.ts';
import type { Fence, StoredRecord } from '../../store/port.ts';
import { CatalogError } from '../errors.ts';
import type { CatalogParts } from '../parts.ts';

/**
 * What operators report about their resources: who they are, since when the server knows them, and their status. Kept
 * here so that it can be read in one place and survives a restart of the operator. What an operator writes here may carry
 * its fence; all of it then throws StoreError `fenced` once another leads.
 */

const KIND = 'resource';
const REGISTERED_AT_ONCE = 500;

/** As it is kept: with the hash by which a change of the spec is seen. */
export interface StoredResource extends ResourceRecord {
  readonly specHash: string;
}

/** Records resources of a source that were seen. New ones of one call share one moment of creation. */
export async function registerResources(
  parts: CatalogParts,
  source: string,
  resources: Registration['resources'],
  fence?: Fence,
): Promise<StoredResource[]> {
  const created = parts.now();
  const registered: StoredResource[][] = [];
  for (let start = 0; start < resources.length; start += REGISTERED_AT_ONCE) {
    const some = resources.slice(start, start + REGISTERED_AT_ONCE);
    const updates = some.map(({ kind, namespace, name, specHash, location }) =>
      updateResource(parts, { kind, namespace, name }, source, fence, (previous) => {
        const generation = previous === undefined ? 1 : previous.generation + (previous.specHash === specHash ? 0 : 1);
        const { location: _old, ...kept } = previous ?? { source, kind, namespace, name, created };
        return { ...kept, generation, specHash, ...(location === undefined ? {} : { location }) };
      }),
    );
    // What was reported of it is not told again: there may be much of it.
    registered.push((await Promise.all(updates)).map(({ status: _known, ...record }) => record));
  }
  return registered.flat();
}

/** Stores the status that an operator reports. @throws CatalogError `too-large`. */
export async function reportResource(
  parts: CatalogParts,
  resource: ResourceName,
  source: string,
  status: Readonly<Record<string, unknown>>,
  location: string | undefined,
  fence?: Fence,
): Promise<StoredResource> {
  const { length } = JSON.stringify(status);
  if (length > MAX_STATUS_LENGTH) {
    throw new CatalogError('too-large', `The status has ${length} characters; the limit is ${MAX_STATUS_LENGTH}`);
  }
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
): Promise<StoredResource | undefined> {
  return (await recordsOf(parts, resource, source))[0]?.body;
}

async function recordsOf(
  { store }: CatalogParts,
  resource: ResourceName,
  source: string | undefined,
): Promise<StoredRecord<StoredResource>[]> {
  const prefix = `${nameOf(resource)}/`;
  const found: StoredRecord<StoredResource>[] = [];
  for await (const record of allRecords<StoredResource>(store, KIND, prefix)) {
    if (!record.id.startsWith(prefix)) break;
    if (source === undefined || record.body.source === source) found.push(record);
  }
  return found;
}

/** All resources, of one source or of all, by kind, namespace and name, behind the record `after`. */
export async function* listResources(
  { store }: CatalogParts,
  source: string | undefined,
  after?: string,
): AsyncGenerator<StoredRecord<StoredResource>> {
  for await (const record of allRecords<StoredResource>(store, KIND, after)) {
    if (source === undefined || record.body.source === source) yield record;
  }
}

/** Of a resource, whatever its source. */
export function nameOf({ kind, namespace, name }: ResourceName): string {
  return `${kind}/${namespace}/${name}`;
}

/** Two sources may each have a resource of one name. */
function idOf(resource: ResourceName, source: string): string {
  return `${nameOf(resource)}/${source}`;
}

function updateResource(
  parts: CatalogParts,
  resource: ResourceName,
  source: string,
  fence: Fence | undefined,
  next: (previous: StoredResource | undefined) => StoredResource,
): Promise<StoredResource> {
  return changeRecord(parts.store.records, { kind: KIND, id: idOf(resource, source), fence }, next);
}
