import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { isHttpError } from '../../client/http-errors.ts';
import type { ResourceKind } from '../../model/resource/identity.ts';
import type { ReconcileEnd } from '../reconcile/reconciler.ts';
import { SourceError } from '../source/port.ts';
import { CONTROLLERS, controllerName } from './controller-name.ts';

type Result = 'success' | 'error' | 'requeue' | 'requeue_after';

const RESULTS: readonly Result[] = ['success', 'error', 'requeue', 'requeue_after'];

const labelNames = ['controller'] as const;

/** Controller-runtime's own. */
const BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/**
 * Reconciles under the names of controller-runtime (pkg/internal/controller/metrics there). Its
 * `reconcile_timeouts_total` is missing: a reconcile has no time limit, its requests have.
 */
export class ReconcileMetrics {
  readonly #now: () => number;
  readonly #total: Counter;
  readonly #errors: Counter;
  readonly #terminal: Counter;
  readonly #panics: Counter;
  readonly #time: Histogram;
  readonly #active: Gauge;

  /** @param concurrency of all kinds together. @param now milliseconds. */
  constructor(registry: Registry, concurrency: number, now: () => number) {
    this.#now = now;
    const counter = (name: string, help: string, more: readonly string[] = []) =>
      new Counter({ name, help, labelNames: [...labelNames, ...more], registers: [registry] });
    const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers: [registry] });
    this.#total = counter('controller_runtime_reconcile_total', 'Total number of reconciliations per controller', [
      'result',
    ]);
    this.#errors = counter(
      'controller_runtime_reconcile_errors_total',
      'Total number of reconciliation errors per controller',
    );
    this.#terminal = counter(
      'controller_runtime_terminal_reconcile_errors_total',
      'Total number of terminal reconciliation errors per controller',
    );
    this.#panics = counter(
      'controller_runtime_reconcile_panics_total',
      'Total number of reconciliations per controller that failed by a fault of the operator itself',
    );
    this.#time = new Histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller',
      labelNames,
      buckets: BUCKETS,
      registers: [registry],
    });
    this.#active = gauge('controller_runtime_active_workers', 'Number of currently used workers per controller');
    const workers = gauge(
      'controller_runtime_max_concurrent_reconciles',
      'Maximum number of concurrent reconciles per controller',
    );
    for (const controller of CONTROLLERS) {
      workers.set({ controller }, concurrency);
      this.#active.set({ controller }, 0);
      for (const result of RESULTS) this.#total.inc({ controller, result }, 0);
      for (const errors of [this.#errors, this.#terminal, this.#panics]) errors.inc({ controller }, 0);
      this.#time.zero({ controller });
    }
  }

  /** A reconcile begins. @returns what to call when it has ended, whatever happened. */
  began(kind: ResourceKind): (end: ReconcileEnd) => void {
    const begin = this.#now();
    const labels = { controller: controllerName(kind) };
    this.#active.inc(labels);
    return (end) => {
      this.#active.dec(labels);
      this.#time.observe(labels, Math.max(0, this.#now() - begin) / 1000);
      const result = resultOf(end);
      this.#total.inc({ ...labels, result });
      if (result === 'error') this.#errors.inc(labels);
      if (end.outcome?.kind === 'terminal') this.#terminal.inc(labels);
      if (isFault(end.error)) this.#panics.inc(labels);
    };
  }
}

/** As controller-runtime counts: a terminal error is an error, and waiting for an event is a success. */
function resultOf({ outcome, error }: ReconcileEnd): Result {
  if (outcome === undefined || outcome.kind === 'terminal' || error !== undefined) return 'error';
  if (outcome.kind === 'done' || outcome.after === 'event') return 'success';
  return outcome.after === 'backoff' ? 'requeue' : 'requeue_after';
}

/** Whether something was thrown that is no failed request. */
function isFault(error: unknown): boolean {
  return error !== undefined && !isHttpError(error) && !(error instanceof SourceError);
}
