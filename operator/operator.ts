import type { Logger } from 'pino';
import type { HttpClient } from '../client/http-client.ts';
import type { FencedError } from '../client/http-errors.ts';
import type { ResourceId } from '../model/resource/identity.ts';
import { isResourceKind, type ResourceKey, resourceKey } from '../model/resource/identity.ts';
import { type Clock, pause } from '../process/clock.ts';
import { KeyedLock } from '../process/keyed-lock.ts';
import { createHttpCatalogue } from './catalogue/http-catalogue.ts';
import { readTogether } from './catalogue/read-together.ts';
import { createHttpTokenCatalogue } from './catalogue/token-catalogue.ts';
import { describeFailure } from './credentials.ts';
import type { OperatorEvent } from './event.ts';
import type { OperatorMetrics } from './metrics/operator-metrics.ts';
import { affectedBy } from './reconcile/affected.ts';
import { isSettled } from './reconcile/conditions.ts';
import { inOrder } from './reconcile/in-order.ts';
import { Reconciler } from './reconcile/reconciler.ts';
import type { AccessTokenTools, Tools } from './reconcile/step.ts';
import { backoffDelay } from './runtime/backoff.ts';
import { Emitter } from './runtime/emitter.ts';
import { Queue } from './runtime/queue.ts';
import { ResyncRound } from './runtime/resync-round.ts';
import { ServerWatch, untilReady } from './server-watch.ts';
import { rowOf, type Snapshot } from './snapshot.ts';
import type { ResourceSource, SourceProblem } from './source/port.ts';
import type { ResourceTable, TableChange } from './table/object-table.ts';

export interface OperatorOptions {
  /** The API server. It is closed by `stop`. */
  readonly http: HttpClient;
  readonly source: ResourceSource;
  /** Resources that are reconciled at the same time. */
  readonly concurrency?: number;
  /** Everything is looked at again after so many seconds, so that drift is found; 600 when absent. */
  readonly resyncSeconds?: number;
  /** Whether resources take over what nobody owns, if they do not say themselves. */
  readonly adoptsUnowned?: boolean;
  /** Where tokens are kept, and whose; absent: nowhere. */
  readonly accessTokens?: Pick<AccessTokenTools, 'secrets' | 'mayActAs'>;
  readonly metrics?: Pick<OperatorMetrics, 'queue' | 'reconcile' | 'unchanged'>;
  /** The server knows of a later leader: nothing that is written from here on counts. */
  readonly onFenced?: (error: FencedError) => void;
  readonly log: Logger;
  readonly clock: Clock;
}

export interface Operator {
  /** Waits for the server, takes the first look at the source and begins to work. */
  start(): Promise<void>;
  /** Ends what is under way, or gives it up after a few seconds. */
  stop(): Promise<void>;
  /** The same one until something changes. */
  snapshot(): Snapshot;
  /** Whether nothing is being done and nothing waits to be done at once; back-offs do not count. */
  readonly idle: boolean;
  /** @returns how to stop listening. */
  on(listener: (event: OperatorEvent) => void): () => void;
  /** Tells that the snapshot is another one, each time. @returns how to stop listening. */
  onChange(listener: () => void): () => void;
}

/** The search index is that far behind the writes, at most times. */
const RECOUNT_MS = 2000;
/** Resources that are looked at again at the same time, and the datasets that they mean together. */
const MOST_LOOKS = 1000;
const MOST_DATASETS = 5000;
const MOST_BEHIND = 10;
const LONGEST_FAREWELL_MS = 5000;
const START_BACKOFF = { firstMs: 250, greatestMs: 5000, random: Math.random };

/** The keys in parts that can be looked at at the same time: one resource may mean very many datasets. */
function* lookedAtTogether(keys: readonly ResourceKey[], index: ResourceTable): Generator<ResourceKey[]> {
  let together: ResourceKey[] = [];
  let datasets = 0;
  for (const key of keys) {
    const meant = index.get(key)?.status?.targets ?? 1;
    if (together.length > 0 && (together.length === MOST_LOOKS || datasets + meant > MOST_DATASETS)) {
      yield together;
      together = [];
      datasets = 0;
    }
    together.push(key);
    datasets += meant;
  }
  if (together.length > 0) yield together;
}

/** The operator: it brings the catalogue of an API server to what the resources of a source wish. */
export function createOperator(options: OperatorOptions): Operator {
  const { http, source, concurrency = 4, resyncSeconds = 600, adoptsUnowned = true, metrics, log, clock } = options;
  const events = new Emitter<OperatorEvent>();
  const changes = new Emitter<void>();
  const stopping = new AbortController();
  const { table: index } = source;
  const catalogue = createHttpCatalogue(http, source.name);
  const tools: Tools = {
    source,
    catalogue,
    index,
    locks: new KeyedLock(),
    adoptsUnowned,
    ...(options.accessTokens === undefined
      ? {}
      : { accessTokens: { ...options.accessTokens, catalogue: createHttpTokenCatalogue(http), clock } }),
  };
  let told: readonly SourceProblem[] = [];
  let shown: Snapshot | undefined;
  /** Whether the first look is complete: until then single changes mean nothing. */
  let started = false;
  const round = new ResyncRound(resyncSeconds, ours, clock);
  const readOnly = readTogether(catalogue, stopping.signal);
  let looks = Promise.resolve();
  /** Portions of a look at everything that are not done yet. */
  let behind = 0;

  const say = (event: OperatorEvent): void => {
    const details = event.id === undefined ? {} : { resource: resourceKey(event.id) };
    const level = event.type === 'Stalled' || event.type === 'Problem' || event.type === 'ServerLost' ? 'warn' : 'info';
    log[level](details, `${event.type}: ${event.message}`);
    events.emit(event);
  };

  const wake = (keys: Iterable<ResourceKey>): void => {
    for (const key of keys) if (!index.get(key)?.elsewhere) queue.add(key);
  };

  const watch = new ServerWatch(http, clock, stopping.signal, {
    lost: (message) => {
      queue.hold();
      say({ type: 'ServerLost', message });
    },
    back: (keys) => {
      queue.release();
      say({ type: 'ServerBack', message: 'the API server answers again' });
      for (const key of keys) queue.forget(key);
      wake(keys);
    },
  });

  const reconciler = new Reconciler({
    tools,
    source,
    wake,
    // Not a change that somebody waits for; and many values may be written one after the other.
    wakeLater: (keys) => {
      for (const key of keys) if (!index.get(key)?.elsewhere) queue.addAfter(key, RECOUNT_MS, 'resync');
    },
    ...(metrics === undefined ? {} : { observe: (entry) => metrics.reconcile(entry) }),
    say,
    onFault: (key, error) => log.error({ resource: key, err: error }, 'a reconcile failed'),
    onUnavailable: (key) => watch.add(key),
    onFenced: options.onFenced ?? (() => undefined),
  });

  const queue = new Queue({
    concurrency,
    clock,
    ...(metrics === undefined ? {} : { observer: metrics.queue }),
    work: (key, attempt) => reconciler.reconcile(key, attempt),
    onError: (key, error) => log.error({ resource: key, err: error }, 'a reconcile failed'),
  });

  function onChange({ key, before, after, isNews }: TableChange): void {
    outdate();
    if (!started || !isNews) return;
    queue.forget(key);
    if (after !== undefined) wake([key]);
    wake(affectedBy(before, after, index));
  }

  function outdate(): void {
    shown = undefined;
    changes.emit();
  }

  function tellProblems(): void {
    outdate();
    const problems = source.problems();
    const known = new Set(told.map((problem) => JSON.stringify(problem)));
    told = problems;
    for (const problem of problems.filter((one) => !known.has(JSON.stringify(one)))) {
      const place = problem.location === undefined ? '' : `${problem.location}: `;
      const message = `${place}${problem.message}`;
      if (problem.severity === 'note') log.info({}, message);
      else say({ type: 'Problem', message });
    }
  }

  /** Has looked at what is not as it was. The others cost a share of a few requests. */
  async function lookAgain(keys: readonly ResourceKey[]): Promise<void> {
    for (const together of lookedAtTogether(keys, index)) {
      if (stopping.signal.aborted) return;
      await Promise.all(
        together.map(async (key) => {
          const isAsItWas = await reconciler.isAsItWas(key, readOnly);
          const kind = index.get(key)?.id.kind;
          if (!isAsItWas) queue.add(key, 'resync');
          else if (kind !== undefined) metrics?.unchanged(kind);
        }),
      );
    }
  }

  /** @returns false for what is not taken: whoever cannot keep up looks later. */
  function lookInTurn(keys: readonly ResourceKey[]): boolean {
    if (behind >= MOST_BEHIND) return false;
    behind += 1;
    looks = looks
      .then(() => lookAgain(keys))
      .catch((error: unknown) => log.error({ err: error }, 'looking at everything again failed'))
      .finally(() => {
        behind -= 1;
      });
    return true;
  }

  function ours(): ResourceKey[] {
    return inOrder(index.keys()).filter((key) => index.get(key)?.elsewhere !== true);
  }

  /** What was as it should be when it was last looked at is no change that somebody waits for. */
  function isInPlace(key: ResourceKey): boolean {
    const entry = index.get(key);
    return entry !== undefined && !entry.deleting && isSettled(entry);
  }

  async function owned(): Promise<ResourceId[]> {
    const marks = await catalogue.marksOf();
    return marks.flatMap(({ kind, namespace, name }) => (isResourceKind(kind) ? [{ kind, namespace, name }] : []));
  }

  async function start(): Promise<void> {
    const { signal } = stopping;
    index.subscribe(onChange);
    source.onProblems(tellProblems);
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        if (!(await untilReady(http, clock, signal, (message) => say({ type: 'ServerLost', message })))) return;
        await source.start(await owned());
        break;
      } catch (error) {
        log.warn({ err: error }, `the start failed and is tried again: ${describeFailure(error)}`);
        await pause(clock, backoffDelay(attempt, START_BACKOFF), signal);
      }
    }
    if (signal.aborted) return;
    started = true;
    tellProblems();
    say({ type: 'Started', message: `${index.keys().length} resources from source ${source.name}` });
    wake(ours().filter((key) => !isInPlace(key)));
    lookInTurn(ours().filter(isInPlace));
    round.start(lookInTurn);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    round.stop();
    const farewell = setTimeout(() => http.close(), LONGEST_FAREWELL_MS);
    // The source last: it keeps the statuses that the last reconciles report.
    await Promise.all([queue.stop(), looks]);
    await source.stop();
    clearTimeout(farewell);
    http.close();
  }

  return {
    start,
    stop,
    snapshot() {
      const ours = () => index.list().filter(({ elsewhere }) => !elsewhere);
      shown ??= { rows: ours().map(rowOf), problems: source.problems() };
      return shown;
    },
    get idle() {
      return queue.idle && behind === 0;
    },
    on: (listener) => events.on(listener),
    onChange: (listener) => changes.on(listener),
  };
}
