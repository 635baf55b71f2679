import { compareText, type ResourceId, type ResourceKey, resourceKey } from '../../../model/resource/identity.ts';
import type { ResourceRecords } from '../../catalogue/resource-records.ts';
import { type Entry, newEntry } from './entry.ts';
import type { Manifest } from './manifest.ts';
import type { Scan } from './scanner.ts';

/** Keeps one request well below any limit on the size of a body. */
const REGISTER_AT_ONCE = 5000;

/** All resources that the directory source knows, found or not, and what the server has recorded of them. */
export class Inventory {
  readonly entries = new Map<ResourceKey, Entry>();
  readonly #records: ResourceRecords;
  /** Entries that differ from what was last told. */
  readonly #touched = new Set<ResourceKey>();

  constructor(records: ResourceRecords) {
    this.#records = records;
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
  }

  /** Takes in what a scan found, at `now` (ms). */
  see(scan: Scan, now: number): void {
    for (const [key, manifest] of scan.manifests) this.#found(key, manifest, scan.number);
    for (const [key, entry] of this.entries) if (!scan.manifests.has(key)) entry.missingSince ??= now;
    for (const { path, manifests } of scan.files) {
      for (const { id } of manifests) this.entries.get(resourceKey(id))?.paths.add(path);
    }
  }

  /**
   * Has the server record what is new or changed, so that age and generation are known.
   * @returns the resources that differ from what this returned before.
   */
  async register(): Promise<ResourceKey[]> {
    const due = [...this.#touched].map((key) => this.entries.get(key)).filter((entry) => entry?.manifest !== undefined);
    const unrecorded = due.filter((entry): entry is Entry & { manifest: Manifest } => !isRecorded(entry!));
    // In the order that decides between resources of one age, in case it takes more than one request.
    unrecorded.sort(
      (one, other) => compareText(one.id.namespace, other.id.namespace) || compareText(one.id.name, other.id.name),
    );
    for (let start = 0; start < unrecorded.length; start += REGISTER_AT_ONCE) {
      await this.#register(unrecorded.slice(start, start + REGISTER_AT_ONCE));
    }
    const told = [...this.#touched];
    this.#touched.clear();
    return told;
  }

  /** Lets a deleted resource go. @returns false when its manifest has been found again meanwhile. */
  async forget(id: ResourceId): Promise<boolean> {
    const key = resourceKey(id);
    const entry = this.entries.get(key);
    if (entry?.deleting !== true) return false;
    await this.#records.remove(id);
    if (entry.deleting) {
      this.entries.delete(key);
      return true;
    }
    delete entry.recorded;
    delete entry.status;
    this.#touched.add(key);
    return false;
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

  #found(key: ResourceKey, manifest: Manifest, scan: number): void {
    const entry = this.#entry(manifest.id);
    const before = entry.manifest;
    if (before === undefined || !sameManifest(before, manifest) || entry.deleting) this.#touched.add(key);
    entry.manifest = manifest;
    entry.lastSeen = scan;
    entry.deleting = false;
    delete entry.missingSince;
  }

  #entry(id: ResourceId): Entry {
    const key = resourceKey(id);
    const entry = this.entries.get(key) ?? newEntry(id);
    this.entries.set(key, entry);
    return entry;
  }
}

function isRecorded({ manifest, recorded }: Entry): boolean {
  return recorded?.specHash === manifest?.specHash && recorded?.location === manifest?.location;
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
