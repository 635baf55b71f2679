import { compareText, type ResourceId, type ResourceKey, resourceKey } from '../../../model/resource/identity.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import type { ResourceRecords } from '../../catalogue/resource-records.ts';
import type { ObjectTable } from '../../table/object-table.ts';
import { type Entry, newEntry, shownEntry } from './entry.ts';
import type { Manifest } from './manifest.ts';
import type { Scan } from './scanner.ts';
import { takesAway } from './takes-away.ts';

/** Keeps one request well below any limit on the size of a body. */
const REGISTER_AT_ONCE = 5000;

/** Fills the table with all resources that the directory source knows, found or not, as the server has recorded them. */
export class Inventory {
  readonly #table: ObjectTable<Entry>;
  readonly #records: ResourceRecords;
  /** Entries that differ from what is shown. */
  readonly #touched = new Set<ResourceKey>();
  #seen: Scan | undefined;
  /** Some manifest is not in force yet, since its file may not be written to the end. */
  #isUnsure = false;

  /** @param table what is in it is forgotten. */
  constructor(records: ResourceRecords, table: ObjectTable<Entry>) {
    this.#records = records;
    this.#table = table;
    for (const key of [...table.objects.keys()]) table.apply({ key, isNews: false });
  }

  /** Recalls what there was before this life: resources that have a record, and those that own something. */
  async remember(owned: readonly ResourceId[]): Promise<void> {
    for (const { kind, namespace, name, generation, created, location, status } of await this.#records.list()) {
      const entry = this.#entry({ kind, namespace, name });
      entry.recorded = { generation, created, ...(location === undefined ? {} : { location }) };
      if (status !== undefined) entry.status = status;
    }
    for (const { kind, namespace, name } of owned) {
      this.#entry({ kind, namespace, name }).recorded ??= { generation: 0, created: 0 };
    }
    for (const key of this.#table.objects.keys()) this.#show(key, false);
  }

  /**
   * Takes in what a scan found, at `now` (ms). What lacks something that was there before is not in force until its file
   * is still, and until then everything is as before.
   */
  see(scan: Scan, now: number, isStill: (path: string) => boolean): void {
    if (scan === this.#seen && !this.#isUnsure) return;
    this.#seen = scan;
    this.#isUnsure = false;
    for (const [key, manifest] of scan.manifests) this.#found(key, manifest, scan.number, isStill);
    for (const [key, entry] of this.#table.objects) if (!scan.manifests.has(key)) entry.missingSince ??= now;
    for (const { path, manifests } of scan.files) {
      for (const { id } of manifests) this.#table.objects.get(resourceKey(id))?.paths.add(path);
    }
  }

  /** Has the server record what is new or changed, so that age and generation are known, and shows it. */
  async register(): Promise<void> {
    const { objects } = this.#table;
    const due = [...this.#touched].map((key) => objects.get(key)).filter((entry) => entry?.manifest !== undefined);
    const unrecorded = due.filter((entry): entry is Entry & { manifest: Manifest } => !isRecorded(entry!));
    // In the order that decides between resources of one age, in case it takes more than one request.
    unrecorded.sort(
      (one, other) => compareText(one.id.namespace, other.id.namespace) || compareText(one.id.name, other.id.name),
    );
    for (let start = 0; start < unrecorded.length; start += REGISTER_AT_ONCE) {
      await this.#register(unrecorded.slice(start, start + REGISTER_AT_ONCE));
    }
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const key of touched) this.#show(key, true);
  }

  /** Shows a status. @returns whether there is such a resource. */
  setStatus(key: ResourceKey, status: ResourceStatus): boolean {
    const entry = this.#table.objects.get(key);
    const resource = this.#table.get(key);
    if (entry === undefined || resource === undefined) return false;
    entry.status = status;
    // Nothing else of the entry, which may be waiting to be recorded.
    this.#table.apply({ key, object: entry, resource: { ...resource, status }, isNews: false });
    return true;
  }

  /** What counts as deleted, unless it has been found again meanwhile. */
  beginDeletion(key: ResourceKey): void {
    const entry = this.#table.objects.get(key);
    if (entry === undefined || entry.missingSince === undefined) return;
    entry.deleting = true;
    this.#show(key, true);
  }

  /** Lets a deleted resource go, unless its manifest has been found again meanwhile. */
  async forget(id: ResourceId): Promise<void> {
    const key = resourceKey(id);
    const entry = this.#table.objects.get(key);
    if (entry?.deleting !== true) return;
    await this.#records.remove(id);
    if (entry.deleting) {
      this.#table.apply({ key, isNews: true });
      return;
    }
    delete entry.recorded;
    delete entry.status;
    this.#touched.add(key);
  }

  async #register(entries: readonly (Entry & { manifest: Manifest })[]): Promise<void> {
    const wanted = entries.map(({ id, manifest }) => ({
      ...id,
      specHash: manifest.specHash,
      location: manifest.location,
    }));
    const recorded = await this.#records.register(wanted);
    for (const [index, entry] of entries.entries()) {
      const { generation, created } = recorded[index] ?? { generation: 1, created: 0 };
      const { specHash, location } = wanted[index]!;
      entry.recorded = { generation, created, specHash, location };
    }
  }

  #found(key: ResourceKey, found: Manifest, scan: number, isStill: (path: string) => boolean): void {
    const entry = this.#entry(found.id);
    const { manifest: before, valid } = entry;
    const isUnsure = valid !== undefined && lacks(found, valid) && !isStill(found.path);
    const manifest = isUnsure ? valid : found;
    this.#isUnsure ||= isUnsure;
    if (before === undefined || !sameManifest(before, manifest) || entry.deleting) this.#touched.add(key);
    entry.manifest = manifest;
    if (manifest.wish.kind === 'valid') entry.valid = manifest;
    entry.lastSeen = scan;
    entry.deleting = false;
    delete entry.missingSince;
  }

  #entry(id: ResourceId): Entry {
    const key = resourceKey(id);
    const known = this.#table.objects.get(key);
    if (known !== undefined) return known;
    const entry = newEntry(id);
    this.#table.apply({ key, object: entry, isNews: false });
    return entry;
  }

  #show(key: ResourceKey, isNews: boolean): void {
    const entry = this.#table.objects.get(key);
    if (entry !== undefined) this.#table.apply({ key, object: entry, resource: shownEntry(entry), isNews });
  }
}

function isRecorded({ manifest, recorded }: Entry): boolean {
  return recorded?.specHash === manifest?.specHash && recorded?.location === manifest?.location;
}

/** Whether something is missing that was wished before. */
function lacks({ wish }: Manifest, { wish: before }: Manifest): boolean {
  return wish.kind === 'valid' && before.kind === 'valid' && takesAway(before.resource, wish.resource);
}

/** Valid manifests with one hash wish the same; others may be wrong in another way outside of what is hashed. */
function sameManifest(one: Manifest, other: Manifest): boolean {
  if (one === other) return true;
  if (one.specHash !== other.specHash || one.location !== other.location) return false;
  return (
    one.wish.kind === other.wish.kind &&
    (one.wish.kind === 'valid' || JSON.stringify(one.wish) === JSON.stringify(other.wish))
  );
}
