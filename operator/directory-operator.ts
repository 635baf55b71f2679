import type { Logger } from 'pino';
import { createHttpClient, type HttpClient } from '../client/http-client.ts';
import type { FencedError } from '../client/http-errors.ts';
import type { SourceHolder, SourcePlace, SourceRecord } from '../model/wire/source-record.ts';
import type { Clock } from '../process/clock.ts';
import { absoluteGlobs } from '../process/globs.ts';
import { createFormerResources } from './catalogue/former-resources.ts';
import { createHttpHeldDeletions } from './catalogue/held-deletions.ts';
import { createHttpCatalogue } from './catalogue/http-catalogue.ts';
import { createHttpResourceRecords } from './catalogue/resource-records.ts';
import { type Credentials, describeFailure } from './credentials.ts';
import type { OperatorEvent } from './event.ts';
import type { OperatorMetrics } from './metrics/operator-metrics.ts';
import { createOperator, type Operator } from './operator.ts';
import { HOST } from './own-process.ts';
import { Emitter } from './runtime/emitter.ts';
import { untilAborted } from './runtime/until-aborted.ts';
import { untilReady } from './server-watch.ts';
import type { Snapshot } from './snapshot.ts';
import { DirectorySource } from './source/directory/directory-source.ts';
import { LEASE_TIMES, type LeaseTimes, SourceLease } from './source-lease.ts';

export interface DirectoryOperatorOptions {
  /** Address of the API server. */
  readonly host: string;
  readonly credentials?: Credentials;
  /** Globs of manifests; `!` excludes. */
  readonly manifests: readonly string[];
  /** Names the source in owner marks; two operators on one server need two names. */
  readonly sourceName?: string;
  readonly concurrency?: number;
  readonly resyncSeconds?: number;
  readonly adoptsUnowned?: boolean;
  readonly confirmDeletions?: boolean;
  /** So many entities may lose values by manifests that went while nobody looked, without a question. */
  readonly holdDeletionsAbove?: number;
  readonly workingFolder?: string;
  readonly leaseTimes?: LeaseTimes;
  readonly metrics?: OperatorMetrics;
  readonly log: Logger;
  readonly clock: Clock;
}

const LONGEST_FAREWELL_MS = 5000;

/**
 * An operator over a folder of manifests. It works while it has the source; while another one has it, it says so, and
 * waits: `start` ends when either is known. Each time it begins anew, with a fence by which the API server knows its writes.
 */
export function createDirectoryOperator(options: DirectoryOperatorOptions): Operator {
  const { host, sourceName = 'directory', manifests, workingFolder = process.cwd(), metrics, log, clock } = options;
  const place: SourcePlace = { host: HOST, manifests: absoluteGlobs(manifests, workingFolder) };
  const connection = {
    host,
    ...options.credentials,
    ...(metrics === undefined ? {} : { observer: metrics.apiRequest }),
  };
  const http = createHttpClient(connection);
  const events = new Emitter<OperatorEvent>();
  const changes = new Emitter<void>();
  const stopping = new AbortController();
  const begun = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();
  let working: Operator | undefined;
  /** All that is missing at the first look of a start is confirmed, not at that of a later term. */
  let { confirmDeletions = false } = options;
  let waiting: Snapshot = { rows: [], problems: [] };
  const lease = new SourceLease({
    http,
    source: sourceName,
    place,
    times: options.leaseTimes ?? LEASE_TIMES,
    clock,
    onHeld(holder) {
      tellHeld(describeHolder(sourceName, holder));
      begun.resolve();
    },
    onError: (error) =>
      log.warn({ err: error }, `the source ${sourceName} could not be asked for: ${describeFailure(error)}`),
  });

  function tellHeld(message: string): void {
    if (waiting.problems.some((problem) => problem.message === message)) return;
    log.warn(message);
    waiting = { rows: [], problems: [{ severity: 'error', reason: 'SourceHeld', message }] };
    changes.emit();
  }

  async function work(source: SourceRecord, signal: AbortSignal): Promise<void> {
    const { name, lease: id, created, term } = source;
    const fenced = new AbortController();
    const ending = AbortSignal.any([signal, fenced.signal]);
    const fence = { source: name, shard: '', lease: id, created, transitions: term };
    const operator = open(createHttpClient({ ...connection, fence }), source, ({ message }) => {
      log.warn(message);
      fenced.abort();
    });
    confirmDeletions = false;
    operator.on((event) => events.emit(event));
    operator.onChange(() => changes.emit());
    waiting = { rows: [], problems: [] };
    working = operator;
    changes.emit();
    const starting = operator.start().then(begun.resolve, (error: unknown) => {
      log.error({ err: error }, 'the operator could not start');
    });
    await untilAborted(ending);
    await operator.stop();
    await starting;
    working = undefined;
    changes.emit();
  }

  function open(fencing: HttpClient, record: SourceRecord, onFenced: (error: FencedError) => void): Operator {
    const { holdDeletionsAbove = 5, concurrency, adoptsUnowned } = options;
    const source = new DirectorySource({
      name: sourceName,
      manifests,
      records: createHttpResourceRecords(fencing, sourceName),
      heldDeletions: createHttpHeldDeletions(fencing, sourceName),
      former: createFormerResources({
        http: fencing,
        catalogue: createHttpCatalogue(fencing, sourceName),
        source: record,
        place,
        holdAbove: holdDeletionsAbove,
      }),
      confirmDeletions,
      workingFolder,
      clock,
    });
    return createOperator({
      http: fencing,
      source,
      onFenced,
      log,
      clock,
      ...(metrics === undefined ? {} : { metrics }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(adoptsUnowned === undefined ? {} : { adoptsUnowned }),
      ...(options.resyncSeconds === undefined ? {} : { resyncSeconds: options.resyncSeconds }),
    });
  }

  async function run(): Promise<void> {
    const lost = (message: string): void => {
      log.warn(`ServerLost: ${message}`);
      events.emit({ type: 'ServerLost', message });
    };
    if (await untilReady(http, clock, stopping.signal, lost)) await lease.run(work, stopping.signal);
    begun.resolve();
  }

  return {
    start() {
      running = run();
      return begun.promise;
    },
    async stop() {
      stopping.abort();
      const farewell = setTimeout(() => http.close(), 2 * LONGEST_FAREWELL_MS);
      await running;
      clearTimeout(farewell);
      http.close();
    },
    snapshot: () => working?.snapshot() ?? waiting,
    get idle() {
      return working?.idle ?? true;
    },
    on: (listener) => events.on(listener),
    onChange: (listener) => changes.on(listener),
  };
}

function describeHolder(source: string, { place, pid, since }: SourceHolder & { readonly since: number }): string {
  const who = `process ${pid} on ${place.host}, over ${place.manifests.join(', ')}, since ${new Date(since).toISOString()}`;
  return `another operator works on the source ${source}: ${who}; this one does nothing until that is gone. Two folders need two names: set SOURCE_NAME`;
}
