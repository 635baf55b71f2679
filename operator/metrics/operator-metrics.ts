import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ObservedAnswer } from '../../client/http-client.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../model/resource/identity.ts';
import type { ReconcileEnd } from '../reconcile/reconciler.ts';
import type { QueueObserver } from '../runtime/dedupe-queue.ts';
import type { ResourceRow } from '../snapshot.ts';
import type { SourceResource } from '../source/port.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { ReconcileMetrics } from './reconcile-metrics.ts';
import { apiRequestMetrics, kubeRequestMetrics } from './request-metrics.ts';
import { ResourceMetrics } from './resource-metrics.ts';

export interface OperatorMetricsOptions {
  /** Resources that are reconciled at the same time. */
  readonly concurrency: number;
  /** All resources as they are now; asked with every look at the metrics. */
  readonly rows: () => readonly ResourceRow[];
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now?: () => number;
}

/** Everything that an operator counts. It lives as long as the process; what it listens to may come and go. */
export class OperatorMetrics {
  readonly registry = new Registry();
  /** For the queue. */
  readonly queue: QueueObserver;
  /** For the client of the API server. */
  readonly apiRequest: (answer: ObservedAnswer) => void;
  /** For the client of the Kubernetes API; a watch counts when it begins. */
  readonly kubeRequest: (answer: ObservedAnswer & { readonly host: string }) => void;
  readonly #reconciles: ReconcileMetrics;
  readonly #resources: ResourceMetrics;
  readonly #leads: Gauge;
  readonly #slowPaths: Counter;
  readonly #unchanged: Counter;

  constructor({ concurrency, rows, now = monotonic }: OperatorMetricsOptions) {
    const { registry } = this;
    collectDefaultMetrics({ register: registry });
    this.queue = new QueueMetrics(registry, now);
    this.#reconciles = new ReconcileMetrics(registry, concurrency, now);
    this.#resources = new ResourceMetrics(registry, rows, now);
    this.apiRequest = apiRequestMetrics(registry);
    this.kubeRequest = kubeRequestMetrics(registry);
    this.#leads = new Gauge({
      name: 'leader_election_master_status',
      help: 'Whether this process leads: 1 leads, 0 stands by. The name is that of the Lease',
      labelNames: ['name'],
      registers: [registry],
    });
    this.#slowPaths = new Counter({
      name: 'leader_election_slowpath_total',
      help: 'Renewals of the Lease that did not succeed at the first try. The name is that of the Lease',
      labelNames: ['name'],
      registers: [registry],
    });
    this.#unchanged = new Counter({
      name: 'proplane_resync_unchanged_total',
      help: 'Resources that were looked at again and found as they were, without a reconcile',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of RESOURCE_KINDS) this.#unchanged.inc({ kind }, 0);
  }

  /**
   * A reconcile begins.
   * @returns what to call once when it has ended, whatever happened; `driftRepaired`: it found something that nobody
   * wished, and repaired it.
   */
  reconcile(entry: SourceResource): (end: ReconcileEnd) => void {
    const ended = this.#reconciles.began(entry.id.kind);
    this.#resources.began(entry);
    return ({ driftRepaired = false, ...end }) => {
      ended(end);
      this.#resources.ended(entry, end, driftRepaired);
    };
  }

  /** A resource was looked at again, and nothing was to be done about it. */
  unchanged(kind: ResourceKind): void {
    this.#unchanged.inc({ kind });
  }

  /** Whether this process holds the Lease of this name. */
  leads(lease: string, isLeader: boolean): void {
    this.#leads.set({ name: lease }, Number(isLeader));
    this.#slowPaths.inc({ name: lease }, 0);
  }

  /** The Lease of this name was not renewed at the first try. */
  renewedSlowly(lease: string): void {
    this.#slowPaths.inc({ name: lease });
  }
}

/** A clock that is never set back. */
function monotonic(): number {
  return performance.timeOrigin + performance.now();
}
