import type { ResourceId } from '../../model/resource/identity.ts';
import type { ResourceStatus } from '../../model/resource/status.ts';

interface Stored extends ResourceId {
  source: string;
  generation: number;
  created: number;
  specHash: string;
  location?: string;
  status?: object;
}

interface Held {
  source: string;
  id: string;
  resources: (ResourceId & { reason: string; confirmed: boolean })[];
  confirmed: boolean;
}

const nameOf = ({ kind, namespace, name }: ResourceId) => `${kind}/${namespace}/${name}`;

/** The records of resources that an API server keeps, in memory. */
export class FakeRecords {
  readonly stored = new Map<string, Stored>();
  readonly held = new Map<string, Held>();
  /** Moves with each call that records something, so that ages differ. */
  #now = 1_700_000_000_000;

  register(source: string, resources: (ResourceId & { specHash: string; location?: string })[]): Stored[] {
    this.#now += 1000;
    return resources.map(({ kind, namespace, name, specHash, location }) => {
      const key = `${kind}/${namespace}/${name}`;
      const before = this.stored.get(key);
      const generation = before === undefined ? 1 : before.generation + (before.specHash === specHash ? 0 : 1);
      const created = before?.created ?? this.#now;
      const record: Stored = { ...before, source, kind, namespace, name, specHash, generation, created };
      if (location !== undefined) record.location = location;
      this.stored.set(key, record);
      return record;
    });
  }

  putStatus(key: string, source: string, status: object): void {
    const [kind, namespace, name] = key.split('/') as [ResourceId['kind'], string, string];
    const before = this.stored.get(key) ?? {
      source,
      kind,
      namespace,
      name,
      generation: 1,
      created: this.#now,
      specHash: '',
    };
    this.stored.set(key, { ...before, status });
  }

  /** @param key `<kind>/<namespace>/<name>` */
  statusOf(key: string): ResourceStatus | undefined {
    return this.stored.get(key)?.status as ResourceStatus | undefined;
  }

  hold(source: string, resources: (ResourceId & { reason: string })[]): Held {
    const before = new Set(
      this.held
        .get(source)
        ?.resources.filter((one) => one.confirmed)
        .map(nameOf),
    );
    const all = resources.map((one) => ({ ...one, confirmed: before.has(nameOf(one)) }));
    const held = { source, id: all.map(nameOf).join(), resources: all, confirmed: all.every((one) => one.confirmed) };
    if (resources.length === 0) this.held.delete(source);
    else this.held.set(source, held);
    return held;
  }

  /** @param names of the resources that are meant; all when absent. */
  confirm(names?: readonly string[]): void {
    for (const held of this.held.values()) {
      for (const one of held.resources) one.confirmed ||= names?.includes(one.name) ?? true;
    }
  }
}
