import { Counter, exponentialBuckets, Gauge, Histogram, type Registry } from 'prom-client';
import type { ResourceKey } from '../../model/resource/identity.ts';
import type { Priority, QueueObserver } from '../runtime/dedupe-queue.ts';
import { CONTROLLERS } from './controller-name.ts';

/** As controller-runtime's priority queue has them: what its informers find at the start or at a resync is low. */
const PRIORITIES: Readonly<Record<Priority, string>> = { change: '0', resync: '-100' };

const labelNames = ['name', 'controller'] as const;

/** Controller-runtime's own: from 10 ns, times ten. */
const buckets = exponentialBuckets(10e-9, 10, 12);

/**
 * The queue under the names of controller-runtime and client-go (pkg/metrics/workqueue.go there), for which there are
 * dashboards. It is one queue; the labels tell its keys apart by kind, as if each kind had its own.
 */
export class QueueMetrics implements QueueObserver {
  readonly #now: () => number;
  readonly #waiting = new Map<ResourceKey, { readonly priority: Priority; readonly since: number }>();
  readonly #working = new Map<ResourceKey, number>();
  readonly #depth: Gauge;
  readonly #adds: Counter;
  readonly #retries: Counter;
  readonly #queued: Histogram;
  readonly #worked: Histogram;

  /** @param now milliseconds. */
  constructor(registry: Registry, now: () => number) {
    this.#now = now;
    const registers = [registry];
    this.#depth = new Gauge({
      name: 'workqueue_depth',
      help: 'Current depth of workqueue by workqueue and priority',
      labelNames: [...labelNames, 'priority'],
      registers,
    });
    this.#adds = new Counter({
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
      labelNames,
      registers,
    });
    this.#retries = new Counter({
      name: 'workqueue_retries_total',
      help: 'Total number of retries handled by workqueue',
      labelNames,
      registers,
    });
    this.#queued = new Histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before being requested',
      labelNames,
      buckets,
      registers,
    });
    this.#worked = new Histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item from workqueue takes',
      labelNames,
      buckets,
      registers,
    });
    this.#ofRunning(
      registry,
      'workqueue_unfinished_work_seconds',
      'How many seconds of work is in progress and is not in work_duration yet; large values mean stuck workers',
      (seconds) => seconds.reduce((sum, each) => sum + each, 0),
    );
    this.#ofRunning(
      registry,
      'workqueue_longest_running_processor_seconds',
      'How many seconds the longest running processor of the workqueue has been running',
      (seconds) => seconds.reduce((most, each) => Math.max(most, each), 0),
    );
    // Rates can only be told from counters that were there before the first event.
    for (const name of CONTROLLERS) {
      const labels = { name, controller: name };
      for (const priority of Object.values(PRIORITIES)) this.#depth.set({ ...labels, priority }, 0);
      for (const counter of [this.#adds, this.#retries]) counter.inc(labels, 0);
      for (const histogram of [this.#queued, this.#worked]) histogram.zero(labels);
    }
  }

  waits(key: ResourceKey, priority: Priority): void {
    const standing = this.#waiting.get(key);
    if (standing === undefined) this.#adds.inc(labelsOf(key));
    else this.#depth.dec(depthLabels(key, standing.priority));
    this.#waiting.set(key, { priority, since: standing?.since ?? this.#now() });
    this.#depth.inc(depthLabels(key, priority));
  }

  taken(key: ResourceKey): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#waiting.delete(key);
    this.#depth.dec(depthLabels(key, waiting.priority));
    this.#queued.observe(labelsOf(key), this.#secondsSince(waiting.since));
    this.#working.set(key, this.#now());
  }

  finished(key: ResourceKey): void {
    const begin = this.#working.get(key);
    if (begin === undefined) return;
    this.#working.delete(key);
    this.#worked.observe(labelsOf(key), this.#secondsSince(begin));
  }

  repeats(key: ResourceKey): void {
    this.#retries.inc(labelsOf(key));
  }

  cleared(): void {
    for (const [key, { priority }] of this.#waiting) this.#depth.dec(depthLabels(key, priority));
    this.#waiting.clear();
  }

  #secondsSince(begin: number): number {
    return Math.max(0, this.#now() - begin) / 1000;
  }

  /** A gauge over how long each key has been worked on by now, in seconds. */
  #ofRunning(registry: Registry, name: string, help: string, value: (seconds: number[]) => number): void {
    const running = () => Map.groupBy(this.#working, ([key]) => controllerOf(key));
    const seconds = (since: number) => this.#secondsSince(since);
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        const byController = running();
        for (const controller of CONTROLLERS) {
          const all = (byController.get(controller) ?? []).map(([, since]) => seconds(since));
          this.set({ name: controller, controller }, value(all));
        }
      },
    });
  }
}

function controllerOf(key: ResourceKey): string {
  return key.slice(0, key.indexOf('/')).toLowerCase();
}

function labelsOf(key: ResourceKey) {
  const controller = controllerOf(key);
  return { name: controller, controller };
}

function depthLabels(key: ResourceKey, priority: Priority) {
  return { ...labelsOf(key), priority: PRIORITIES[priority] };
}
