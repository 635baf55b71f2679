import { join } from 'node:path';
import { FaultProxy, type OwnAnswer, type SeenRequest } from '../fault-proxy.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { KubeBench } from './kube-bench.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { OperatorProcess } from './operator-process.ts';

/** A request of an operator, to the cluster or to the API server. */
export interface Sent extends SeenRequest {
  readonly operator: ProxiedOperator;
  readonly to: 'cluster' | 'server';
  readonly body: string;
}

type Fate = Promise<'drop' | OwnAnswer | undefined> | 'drop' | OwnAnswer | undefined;

export interface ProxiedOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** What each request is entered in, when it comes; several operators may share it. */
  readonly journal?: Sent[];
  readonly standby?: boolean;
}

/**
 * An operator that reaches the cluster, as the user `operator`, and the API server through proxies of its own. It works
 * on the namespace of the bench, which names its source too, unless its environment says otherwise.
 */
export class ProxiedOperator {
  readonly cluster: FaultProxy;
  readonly server: FaultProxy;
  /** All requests, in the order in which they came. */
  readonly journal: Sent[];
  /** Asked before a request is forwarded. */
  befall: (request: Sent) => Fate = () => undefined;
  /** Asked when a request was carried out, before the operator hears of it. */
  withhold: (request: Sent) => Promise<'drop'> | undefined = () => undefined;
  #process: OperatorProcess | undefined;
  readonly #again: () => Promise<OperatorProcess>;

  private constructor(
    cluster: FaultProxy,
    server: FaultProxy,
    journal: Sent[],
    again: (standby: boolean) => Promise<OperatorProcess>,
  ) {
    this.cluster = cluster;
    this.server = server;
    this.journal = journal;
    this.#again = () => again(true);
    for (const [to, proxy] of [
      ['cluster', cluster],
      ['server', server],
    ] as const) {
      proxy.before = (request, body) => this.#seen(request, to, body);
      proxy.after = (request) => this.withhold(request as Sent);
    }
  }

  /** Waits until it leads, unless it is to stand by. It ends with the bench. */
  static async start(
    bench: KubeBench,
    { environment = {}, journal = [], standby = false }: ProxiedOptions = {},
  ): Promise<ProxiedOperator> {
    const { cluster } = bench;
    const { path, remove } = await temporaryFolder();
    const { token } = cluster.users.operator;
    const kube = await FaultProxy.start({
      upstream: cluster.server,
      ca: cluster.ca,
      authorization: `Bearer ${token}`,
    });
    const server = await FaultProxy.start({ upstream: bench.server.url });
    bench.atEnd(() => kube.stop());
    bench.atEnd(() => server.stop());
    bench.atEnd(remove);
    const kubeconfig = await writeKubeconfig(join(path, 'kubeconfig'), { server: kube.url });
    const operate = (isStandby: boolean): Promise<OperatorProcess> =>
      bench.operate({
        standby: isStandby,
        host: server.url,
        kubeconfig,
        environment: { SOURCE_NAME: bench.namespace, ...environment },
      });
    const operator = new ProxiedOperator(kube, server, journal, operate);
    operator.#process = await operate(standby);
    return operator;
  }

  get process(): OperatorProcess {
    if (this.#process === undefined) throw new Error('the operator was not started');
    return this.#process;
  }

  /** Starts it once more, after it has ended; it may have to wait for the Lease. */
  async restart(): Promise<void> {
    this.#process = await this.#again();
  }

  /** Whether its own metric says so. */
  async isLeading(): Promise<boolean> {
    return (await this.process.metric('leader_election_master_status')) === 1;
  }

  /** What it wrote, or tried to; by the Lease aside. */
  get writes(): Sent[] {
    return writesIn(this.journal).filter(({ operator }) => operator === this);
  }

  #seen(request: SeenRequest, to: Sent['to'], body: string): Fate {
    // The very object to which the proxy adds the answer.
    const sent = Object.assign(request, { operator: this, to, body });
    this.journal.push(sent);
    return this.befall(sent);
  }
}

/** Requests that change something, other than those that get, renew and release the Lease. */
export function writesIn(journal: readonly Sent[]): Sent[] {
  return journal.filter((request) => request.method !== 'GET' && !isForLease(request) && !isRead(request));
}

/** For messages: `PATCH /apis/… of the cluster: 200`. */
export function described({ method, path, to, status }: Sent): string {
  return `${method} ${decodeURIComponent(path)} of the ${to}: ${status ?? 'no answer'}`;
}

/** The name of the resource for which an operator wrote something, as far as the request tells. */
export function subjectOf({ to, path, query, headers, body }: Sent): string | undefined {
  if (to === 'server') {
    const owner = new URLSearchParams(String(headers['x-proplane-owner'] ?? ''));
    return owner.get('name') ?? query.get('name') ?? undefined;
  }
  if (path.endsWith('/events')) return JSON.parse(body).regarding.name;
  return /\/(?:structuredproperties|datasetproperties)\/([^/]+)/u.exec(path)?.[1];
}

/** What asks in a body. */
function isRead({ path }: SeenRequest): boolean {
  return path.endsWith('/scroll') || path.endsWith('/batchGet');
}

export function isForLease({ path }: SeenRequest): boolean {
  return path.includes('/coordination.k8s.io/');
}

/** Keeps a request on its way until it is released. */
export class Hold {
  readonly #held = Promise.withResolvers<Sent>();
  readonly #gate = Promise.withResolvers<undefined>();
  readonly #operator: ProxiedOperator;

  /** Holds the next request that fits. */
  constructor(operator: ProxiedOperator, fits: (request: Sent) => boolean) {
    this.#operator = operator;
    operator.befall = (request) => {
      if (!fits(request)) return undefined;
      operator.befall = () => undefined;
      this.#held.resolve(request);
      return this.#gate.promise;
    };
  }

  /** Resolves when there is one. */
  get request(): Promise<Sent> {
    return this.#held.promise;
  }

  /** Lets it go on to where it was sent. */
  release(): void {
    this.#operator.befall = () => undefined;
    this.#gate.resolve(undefined);
  }
}
