import { once } from 'node:events';
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** What was answered; undefined as long as nothing was. */
  status?: number;
}

/** An answer of the proxy itself; a body that is no text is sent as JSON. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What befalls a request on its way; undefined: nothing. Whoever gives a promise holds it until then. */
type Fate<T> = T | undefined | Promise<T | undefined>;

export interface FaultProxyOptions {
  /** Origin of the server behind it. */
  readonly upstream: string;
  /** PEM of the authority of its certificate. */
  readonly ca?: string | undefined;
  /** Sent instead of what the client sends: kubectl sends no token over plain HTTP. */
  readonly authorization?: string;
}

interface Watch {
  readonly response: ServerResponse;
  truncated: boolean;
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

/** A reverse proxy on plain HTTP that does to requests what networks and busy servers do. */
export class FaultProxy {
  /** Each request, in the order in which they came. */
  readonly requests: SeenRequest[] = [];
  /** Asked before a request is forwarded. One that is held goes on also when its client has given up. */
  before: (request: SeenRequest, body: string) => Fate<'drop' | OwnAnswer> = () => undefined;
  /** Asked when the server has answered, before the client hears of it; the status is in the request. */
  after: (request: SeenRequest, body: string) => Fate<'drop'> = () => undefined;

  readonly #options: FaultProxyOptions;
  readonly #agent: HttpAgent;
  readonly #watches = new Set<Watch>();
  #silence: PromiseWithResolvers<void> | undefined;
  #port = 0;
  readonly #server = createServer((incoming, response) => {
    this.#serve(incoming, response).catch((error: unknown) => {
      if (response.headersSent) drop(response);
      else answer(response, { status: 502, body: `the fault proxy failed: ${String(error)}` });
    });
  });

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
    const isSecure = options.upstream.startsWith('https:');
    this.#agent = isSecure ? new HttpsAgent({ keepAlive: true, ca: options.ca }) : new HttpAgent({ keepAlive: true });
    // the client alone ends a connection that is idle
    this.#server.keepAliveTimeout = 0;
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await proxy.up();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Breaks all connections, and refuses new ones until `up`. */
  async down(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (this.#server.listening) await this.down();
    this.unsilenceWatches();
    this.#agent.destroy();
  }

  /** How many streams of changes are open. */
  get openWatches(): number {
    return this.#watches.size;
  }

  /** Resets the connection of each watch. */
  cutWatches(): void {
    for (const { response } of this.#watches) drop(response);
  }

  /** Watches, new ones too, stay open and say nothing until `unsilenceWatches`; then comes what has waited. */
  silenceWatches(): void {
    this.#silence ??= Promise.withResolvers<void>();
  }

  unsilenceWatches(): void {
    this.#silence?.resolve();
    this.#silence = undefined;
  }

  /** The next that each of the open watches says breaks off in the middle of a line, and with it the connection. */
  truncateWatches(): void {
    for (const watch of this.#watches) watch.truncated = true;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(incoming.url ?? '/', this.url);
    const { method = 'GET', headers } = incoming;
    const seen: SeenRequest = { method, path: pathname, query, headers };
    this.requests.push(seen);
    const body = await buffer(incoming);
    const fault = await this.before(seen, body.toString());
    if (fault === 'drop') return drop(response);
    if (fault !== undefined) {
      seen.status = fault.status;
      return answer(response, fault);
    }
    const reply = await this.#forward(incoming, body).catch(() => undefined);
    // what the client would see of a server that breaks the connection
    if (reply === undefined) return drop(response);
    if (reply.statusCode !== undefined) seen.status = reply.statusCode;
    if ((await this.after(seen, body.toString())) === 'drop') {
      reply.resume();
      return drop(response);
    }
    response.writeHead(reply.statusCode ?? 502, withoutHopByHop(reply.headers));
    if (isWatch(query)) await this.#passWatch(reply, response);
    else await pipeline(reply, response).catch(() => drop(response));
  }

  async #forward(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { upstream, authorization } = this.#options;
    const headers = withoutHopByHop(incoming.headers);
    if (authorization !== undefined) headers.authorization = authorization;
    if (body.length > 0) headers['content-length'] = body.length;
    const send = upstream.startsWith('https:') ? httpsRequest : httpRequest;
    const url = new URL(incoming.url ?? '/', upstream);
    const outgoing = send(url, { method: incoming.method, headers, agent: this.#agent });
    const replied = once(outgoing, 'response');
    outgoing.end(body);
    const [reply] = (await replied) as [IncomingMessage];
    outgoing.on('error', () => reply.destroy());
    return reply;
  }

  async #passWatch(reply: IncomingMessage, response: ServerResponse): Promise<void> {
    if (response.destroyed) {
      reply.destroy();
      return;
    }
    const watch: Watch = { response, truncated: false };
    this.#watches.add(watch);
    response.on('close', () => {
      this.#watches.delete(watch);
      reply.destroy();
    });
    response.flushHeaders();
    try {
      for await (const chunk of reply as AsyncIterable<Buffer>) {
        await this.#silence?.promise;
        if (response.destroyed) return;
        if (watch.truncated) {
          response.write(chunk.subarray(0, middleOfLastLine(chunk)));
          response.socket?.destroySoon();
          return;
        }
        response.write(chunk);
      }
      response.end();
    } catch {
      drop(response);
    }
  }
}

function drop(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

function answer(response: ServerResponse, { status, headers, body = '' }: OwnAnswer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

function isWatch(query: URLSearchParams): boolean {
  return ['true', '1'].includes(query.get('watch') ?? '');
}

/** A chunk may have several lines of the same length, so its own middle may be the end of one. */
function middleOfLastLine(chunk: Buffer): number {
  const start = chunk.lastIndexOf('\n', chunk.length - 2) + 1;
  return Math.floor((start + chunk.length) / 2);
}

function withoutHopByHop(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
