import type { KubeConfig } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import type { Deadline } from './deadline.ts';
import { type KubeAccess, KubeConnections } from './kube-connections.ts';
import { KubeError } from './kube-error.ts';

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the address of the API server, already percent-encoded. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** JSON. */
  readonly body?: string;
  readonly contentType?: string;
}

/** Is told of every request that was answered, or that got no answer. */
export interface KubeObserver {
  requested(request: {
    readonly method: string;
    readonly host: string;
    readonly status: number | 'error';
    /** Until the beginning of the answer. */
    readonly seconds: number;
  }): void;
}

export interface KubeTransportOptions {
  readonly kubeConfig: KubeConfig;
  /** As in the header `User-Agent`. */
  readonly userAgent: string;
  /** Asked in the turn in which a write goes to the network; `false`: it is not sent, and fails as `fenced`. */
  readonly beforeWrite?: () => boolean;
  readonly observer?: KubeObserver;
}

type Answer = Dispatcher.ResponseData;

/**
 * Sends requests to the API server that a kubeconfig names, with its TLS, tokens and plugins. HTTP/1.1 only: over HTTP/2
 * all requests would share one connection, and a dead one would hold up each of them, new ones too.
 */
export class KubeTransport {
  readonly #options: KubeTransportOptions;
  readonly #server: URL;
  readonly #connections: KubeConnections;
  #authenticating: Promise<KubeAccess> | undefined;

  /** @throws Error when the kubeconfig has no current cluster. */
  constructor(options: KubeTransportOptions) {
    const cluster = options.kubeConfig.getCurrentCluster();
    if (cluster === null) throw new Error('The kubeconfig has no current context with a cluster');
    this.#options = options;
    this.#server = new URL(cluster.server);
    this.#connections = new KubeConnections(options.kubeConfig);
  }

  /**
   * @returns the answer when it begins, whatever its status.
   * @throws KubeError `unavailable` without an answer, `unauthorized` when there are no credentials, `fenced`.
   */
  async send(request: KubeRequest, deadline: Deadline): Promise<Answer> {
    const access = await this.#authenticate(deadline);
    const started = performance.now();
    const observe = (status: number | 'error') =>
      this.#options.observer?.requested({
        method: request.method,
        host: this.#server.host,
        status,
        seconds: (performance.now() - started) / 1000,
      });
    try {
      const answer = await deadline.race(this.#dispatch(request, access, deadline.signal));
      observe(answer.statusCode);
      return answer;
    } catch (error) {
      if (error instanceof KubeError) throw error;
      observe('error');
      throw this.noAnswer(error);
    }
  }

  /** What a connection that failed, or a time that is over, means. */
  noAnswer(error: unknown): KubeError {
    return new KubeError('unavailable', `No answer from ${this.#server.origin} (${reasonOf(error)})`, { cause: error });
  }

  #dispatch(request: KubeRequest, { headers, dispatcher }: KubeAccess, signal: AbortSignal): Promise<Answer> {
    const { method, path, query, body, contentType } = request;
    const search = query === undefined || query.size === 0 ? '' : `?${query}`;
    const fence = method === 'GET' ? undefined : this.#options.beforeWrite;
    return (fence === undefined ? dispatcher : dispatcher.compose(fencedBy(fence))).request({
      origin: this.#server.origin,
      path: `${this.#server.pathname.replace(/\/+$/u, '')}${path}${search}`,
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        'user-agent': this.#options.userAgent,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      signal,
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Requests that begin together share a run of a plugin; who waited too long lets the next one begin anew. */
  async #authenticate(deadline: Deadline): Promise<KubeAccess> {
    this.#authenticating ??= this.#connections.authenticate();
    const running = this.#authenticating;
    try {
      return await deadline.race(running);
    } catch (error) {
      if (deadline.signal.aborted) throw this.noAnswer(error);
      const message = `No credentials for ${this.#server.origin}: ${reasonOf(error)}; see the kubeconfig`;
      throw new KubeError('unauthorized', message, { cause: error });
    } finally {
      if (this.#authenticating === running) this.#authenticating = undefined;
    }
  }
}

/** Asks when the request is about to be written to its socket, which may be long after it was handed over. */
function fencedBy(mayWrite: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      if (!mayWrite())
        throw new KubeError(
          'fenced',
          `${options.method} ${options.path}: not sent, this process may not lead any more`,
        );
      start?.(controller, context);
    };
    return dispatch(options, handler);
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
