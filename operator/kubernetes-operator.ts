import type { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import { createHttpClient, type HttpClient } from '../client/http-client.ts';
import { FencedError } from '../client/http-errors.ts';
import { createKubeClient } from '../kubernetes/create-kube-client.ts';
import type { KubeClient } from '../kubernetes/kube-client.ts';
import { isKubeError } from '../kubernetes/kube-error.ts';
import type { KubeObserver } from '../kubernetes/kube-transport.ts';
import { type Clock, pause } from '../process/clock.ts';
import { type Credentials, describeFailure } from './credentials.ts';
import { EventRecorder } from './kubernetes/event-recorder.ts';
import { LeaderElector } from './kubernetes/leader-election.ts';
import type { Term } from './kubernetes/leadership.ts';
import type { OperatorMetrics } from './metrics/operator-metrics.ts';
import { createOperator, type Operator } from './operator.ts';
import { recordEvent } from './record-event.ts';
import { backoffDelay } from './runtime/backoff.ts';
import { untilAborted } from './runtime/until-aborted.ts';
import type { ResourceRow } from './snapshot.ts';
import { createKubeTokenSecrets } from './source/kubernetes/kube-token-secrets.ts';
import { KubernetesSource } from './source/kubernetes/kubernetes-source.ts';

export interface KubernetesOperatorOptions {
  /** Address of the API server. */
  readonly host: string;
  readonly credentials: Credentials;
  readonly kubeConfig: KubeConfig;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  /** Which resources this shard works on, by their labels. */
  readonly isOurs?: (labels: Readonly<Record<string, string>>) => boolean;
  /** Whether resources of a namespace may have tokens of a user, by URN. */
  readonly mayActAs: (namespace: string, actorUrn: string) => boolean;
  /** Empty when there is only one. */
  readonly shard: string;
  /** Names the source in owner marks; the uid of kube-system when absent. */
  readonly sourceName?: string;
  readonly lease: {
    readonly namespace: string;
    readonly name: string;
    /** Of this process. */
    readonly identity: string;
    readonly leaseMs: number;
    readonly renewDeadlineMs: number;
    readonly retryMs: number;
  };
  readonly concurrency: number;
  readonly resyncSeconds: number;
  /** A watch that is silent for so long is opened again. */
  readonly watchIdleMs: number;
  readonly adoptsUnowned: boolean;
  readonly version: string;
  readonly metrics: OperatorMetrics;
  readonly log: Logger;
  readonly clock: Clock;
}

export interface KubernetesOperator {
  /** Candidates, and works whenever it leads; returns at once. */
  start(): void;
  /** Ends what is under way and lets another one lead. */
  stop(): Promise<void>;
  /** What is known of the resources; none while another operator leads. */
  rows(): readonly ResourceRow[];
  /** Whether it does its work, or stands by to take it over. */
  readonly isReady: boolean;
  /** Whether the cluster was heard of lately; a silence that the watches cannot mend calls for a restart. */
  readonly isAlive: boolean;
}

/** A watch that is silent is opened again: this is longer than a few of those silences, as they are by default. */
const LONGEST_SILENCE_MS = 600_000;
const RETRY = { firstMs: 500, greatestMs: 10_000, random: Math.random };
/** What to do when the API server refuses a leader, beside waiting until its terms are more than those it knows. */
const ADVICE = 'this term ends; if no other operator works on the same source and shard, delete';
const KUBE_SYSTEM = { resource: { group: '', version: 'v1', plural: 'namespaces' }, name: 'kube-system' };

/**
 * The operator over the resources of a cluster. Of several only the leader works, and whatever it writes, to the cluster
 * or to the API server, is written only while nobody else can lead. When it loses its lease it becomes a candidate again.
 */
export function createKubernetesOperator(options: KubernetesOperatorOptions): KubernetesOperator {
  const { kubeConfig, lease, shard, metrics, log, clock } = options;
  const userAgent = `proplane-operator/${options.version}`;
  const observer: KubeObserver = {
    requested: ({ status, ...request }) => metrics.kubeRequest(status === 'error' ? request : { ...request, status }),
  };
  const stopping = new AbortController();
  const elector = new LeaderElector({
    client: createKubeClient({ kubeConfig, userAgent, observer, clock, timeoutMs: lease.renewDeadlineMs / 2 }),
    ...lease,
    clock,
    log: (message) => log.info(message),
    onSlowPath: () => metrics.renewedSlowly(lease.name),
  });
  let running: Promise<void> = Promise.resolve();
  let leads = false;
  let leading: { readonly operator: Operator; readonly source: KubernetesSource; started: boolean } | undefined;
  metrics.leads(lease.name, false);

  async function lead(term: Term): Promise<void> {
    metrics.leads(lease.name, true);
    leads = true;
    try {
      await work(term);
    } finally {
      leads = false;
      leading = undefined;
      metrics.leads(lease.name, false);
    }
  }

  async function work(term: Term): Promise<void> {
    const { signal, fence } = term;
    const isValid = (): boolean => term.isValid();
    const kube = createKubeClient({ kubeConfig, userAgent, observer, clock, beforeWrite: isValid });
    const source = await persistently('the name of the source', signal, () => nameOfSource(kube));
    if (source === undefined) return;
    const http = createHttpClient({
      host: options.host,
      ...options.credentials,
      fence: { source, shard, ...fence },
      beforeWrite: isValid,
      observer: metrics.apiRequest,
    });
    const fenced = new AbortController();
    const onFenced = ({ message }: FencedError): void => {
      if (!fenced.signal.aborted) log.warn(`${message}; ${ADVICE} the Lease ${lease.namespace}/${lease.name}`);
      fenced.abort();
    };
    const ending = AbortSignal.any([signal, fenced.signal]);
    // From here on the server refuses what an earlier leader may still send.
    if ((await persistently('the fence', ending, () => raiseFence(http, onFenced))) !== true) return;
    await operate(source, kube, http, onFenced, ending);
  }

  async function operate(
    name: string,
    client: KubeClient,
    http: HttpClient,
    onFenced: (error: FencedError) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { namespaces, isOurs, concurrency, resyncSeconds, adoptsUnowned, watchIdleMs: idleMs } = options;
    const times = { idleMs };
    const source = new KubernetesSource({
      name,
      client,
      namespaces,
      times,
      clock,
      ...(isOurs === undefined ? {} : { isOurs }),
    });
    const recorder = new EventRecorder({
      client,
      reportingController: 'proplane-operator',
      reportingInstance: lease.identity,
      log: (message) => log.warn(message),
      clock,
    });
    const operator = createOperator({
      http,
      source,
      concurrency,
      resyncSeconds,
      adoptsUnowned,
      accessTokens: { secrets: createKubeTokenSecrets(client), mayActAs: options.mayActAs },
      metrics,
      onFenced,
      log,
      clock,
    });
    operator.on((event) => recordEvent(event, source, recorder));
    const now = { operator, source, started: false };
    leading = now;
    const starting = operator.start().then(
      () => {
        now.started = true;
      },
      (error: unknown) => log.error({ err: error }, 'the operator could not start'),
    );
    await untilAborted(signal);
    await operator.stop();
    await Promise.all([starting, recorder.stop()]);
  }

  async function nameOfSource(client: KubeClient): Promise<string> {
    if (options.sourceName !== undefined) return options.sourceName;
    try {
      return (await client.read(KUBE_SYSTEM)).metadata.uid;
    } catch (error) {
      if (!isKubeError(error, 'forbidden')) throw error;
      throw new Error(`set SOURCE_NAME, or grant "get" on the namespace kube-system: ${error.message}`);
    }
  }

  /** @returns `undefined` when the term ended before it succeeded. */
  async function persistently<T>(what: string, signal: AbortSignal, task: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await task();
      } catch (error) {
        log.warn(`${what}: ${describeFailure(error)}`);
        await pause(clock, backoffDelay(attempt, RETRY), signal);
      }
    }
    return undefined;
  }

  return {
    start() {
      running = elector.run(lead, stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
    rows: () => leading?.operator.snapshot().rows ?? [],
    get isReady() {
      return !leads || leading?.started === true;
    },
    get isAlive() {
      return !leading?.started || !leading.source.isStale(LONGEST_SILENCE_MS);
    },
  };
}

/** @returns whether it is raised; a refusal is no failure that waiting could mend. */
async function raiseFence(http: HttpClient, onFenced: (error: FencedError) => void): Promise<boolean> {
  try {
    await http.send({ method: 'PUT', path: '/fences' });
    return true;
  } catch (error) {
    if (!(error instanceof FencedError)) throw error;
    onFenced(error);
    return false;
  }
}
