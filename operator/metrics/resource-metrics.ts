import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { RESOURCE_KINDS, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import { isSettled } from '../reconcile/conditions.ts';
import type { ReconcileEnd } from '../reconcile/reconciler.ts';
import type { ResourceRow, RowState } from '../snapshot.ts';
import type { SourceResource } from '../source/port.ts';

const STATES: readonly RowState[] = ['ready', 'waiting', 'stalled', 'paused', 'deleting'];

/** From a moment to a day: a cascade over many holders takes its time. */
const BUCKETS = [0.1, 0.3, 1, 3, 10, 30, 60, 180, 600, 1800, 3600, 10_800, 86_400];

/** What a resource waits for, and since when (ms since 1970). */
interface Waiting {
  readonly for: 'ready' | 'gone';
  readonly generation: number;
  readonly since: number;
}

/** How resources are, and how long it took them to get there. No label names a resource: there may be any number. */
export class ResourceMetrics {
  readonly #now: () => number;
  readonly #waiting = new Map<ResourceKey, Waiting>();
  readonly #times: Readonly<Record<Waiting['for'], Histogram>>;
  readonly #drift: Counter;

  /** @param rows all resources as they are now. @param now milliseconds since 1970-01-01T00:00:00Z. */
  constructor(registry: Registry, rows: () => readonly ResourceRow[], now: () => number) {
    this.#now = now;
    const registers = [registry];
    const labelNames = ['kind'] as const;
    const histogram = (name: string, help: string) =>
      new Histogram({ name, help, labelNames, buckets: BUCKETS, registers });
    this.#times = {
      ready: histogram(
        'proplane_time_to_ready_seconds',
        'Time from the creation of a resource, or from a change of its spec, until it is ready',
      ),
      gone: histogram(
        'proplane_time_to_delete_seconds',
        'Time from the first look at a deleted resource until its deletion is finalized',
      ),
    };
    this.#drift = new Counter({
      name: 'proplane_drift_repaired_total',
      help: 'Reconciles that found something other than they had left it, and repaired it',
      labelNames,
      registers,
    });
    const forgetAbsent = (present: readonly ResourceRow[]) => this.#forgetAbsent(present);
    new Gauge({
      name: 'proplane_resources',
      help: 'Resources by kind and state',
      labelNames: ['kind', 'state'],
      registers,
      collect() {
        for (const kind of RESOURCE_KINDS) for (const state of STATES) this.set({ kind, state }, 0);
        const present = rows();
        for (const { kind, state } of present) this.inc({ kind, state });
        forgetAbsent(present);
      },
    });
    for (const kind of RESOURCE_KINDS) {
      for (const times of Object.values(this.#times)) times.zero({ kind });
      this.#drift.inc({ kind }, 0);
    }
  }

  /** A resource is looked at. */
  began(entry: SourceResource): void {
    const key = resourceKey(entry.id);
    const { deleting, generation, created, status } = entry;
    if (!deleting && isSettled(entry)) return;
    const awaited = deleting ? 'gone' : 'ready';
    const standing = this.#waiting.get(key);
    if (standing?.for === awaited && standing.generation === generation) return;
    // The creation is known, also to a process that began later; of anything else only the first look at it.
    const isNew = !deleting && status?.observedGeneration === undefined;
    this.#waiting.set(key, { for: awaited, generation, since: isNew ? created : this.#now() });
  }

  /** It has been looked at. */
  ended({ id }: SourceResource, { outcome }: ReconcileEnd, driftRepaired: boolean): void {
    const { kind } = id;
    if (driftRepaired) this.#drift.inc({ kind });
    if (outcome?.kind !== 'done') return;
    const key = resourceKey(id);
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    // What was paused, or is kept for want of knowledge, has not got where it was to get.
    if (waiting === undefined || waiting.for !== outcome.as) return;
    this.#times[waiting.for].observe({ kind }, Math.max(0, this.#now() - waiting.since) / 1000);
  }

  #forgetAbsent(present: readonly ResourceRow[]): void {
    if (this.#waiting.size === 0) return;
    const keys = new Set(present.map(resourceKey));
    for (const key of this.#waiting.keys()) if (!keys.has(key)) this.#waiting.delete(key);
  }
}
