import { type ResourceId, type ResourceKey, resourceKey } from '../model/resource/identity.ts';
import type { ResourceStatus } from '../model/resource/status.ts';
import type { ResourceRecord } from '../operator/catalogue/resource-records.ts';
import type { Manifest } from '../operator/source/directory/manifest.ts';
import type { ResourceSource } from '../operator/source/port.ts';
import { ObjectTable } from '../operator/table/object-table.ts';

export interface PlanSourceOptions {
  /** Names the source in owner marks. */
  readonly name: string;
  readonly manifests: ReadonlyMap<ResourceKey, Manifest>;
  /** What was there before. */
  readonly records: readonly ResourceRecord[];
  /** Resources that have owner marks of this source. */
  readonly owned: readonly ResourceId[];
}

/** Manifests that were read once, as a source of resources; what it reports stays in memory. */
export class PlanSource implements Pick<ResourceSource, 'name' | 'table' | 'protect' | 'reportStatus' | 'finalized'> {
  readonly name: string;
  /** How many statuses were reported. */
  reports = 0;
  readonly table = new ObjectTable<never>();
  readonly #manifests: PlanSourceOptions['manifests'];

  constructor({ name, manifests, records, owned }: PlanSourceOptions) {
    this.name = name;
    this.#manifests = manifests;
    const ids = [...records, ...owned].map(({ kind, namespace, name: of }) => ({ kind, namespace, name: of }));
    const byKey = new Map(records.map((record) => [resourceKey(record), record]));
    // Whatever is new is recorded in one call, later than all that is there.
    const now = records.reduce((latest, { created }) => Math.max(latest, created), 0) + 1;
    for (const id of [...ids, ...[...manifests.values()].map((manifest) => manifest.id)]) {
      const key = resourceKey(id);
      const manifest = manifests.get(key);
      const record = byKey.get(key);
      const location = manifest?.location ?? record?.location;
      const resource = {
        id,
        wish: manifest?.wish ?? ({ kind: 'unknown' } as const),
        // Greater than any that was judged: each resource is taken to have changed, and is looked at.
        generation: (record?.generation ?? 0) + 1,
        created: record?.created ?? (manifest === undefined ? 0 : now),
        deleting: false,
        ...(location === undefined ? {} : { location }),
        ...(record?.status === undefined ? {} : { status: record.status }),
      };
      this.table.apply({ key, resource, isNews: true });
    }
  }

  /** The resources that have no manifest any more. */
  missing(): ResourceKey[] {
    return this.table.keys().filter((key) => !this.#manifests.has(key));
  }

  beginDeletion(key: ResourceKey): void {
    const entry = this.table.get(key);
    if (entry !== undefined) this.table.apply({ key, resource: { ...entry, deleting: true }, isNews: true });
  }

  async protect(): Promise<void> {}

  async reportStatus(id: ResourceId, status: ResourceStatus): Promise<void> {
    const key = resourceKey(id);
    const entry = this.table.get(key);
    if (entry === undefined) return;
    this.reports += 1;
    this.table.apply({ key, resource: { ...entry, status }, isNews: false });
  }

  async finalized({ id }: { readonly id: ResourceId }): Promise<void> {
    this.table.apply({ key: resourceKey(id), isNews: true });
  }
}
