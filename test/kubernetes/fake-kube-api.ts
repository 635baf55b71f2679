import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { KubeConfig } from '@kubernetes/client-node';
import { createKubeClient, type KubeClientOptions } from '../../kubernetes/create-kube-client.ts';
import type { KubeClient } from '../../kubernetes/kube-client.ts';
import type { KubeObject, KubeResource } from '../../kubernetes/kube-object.ts';
import { SYSTEM_CLOCK } from '../../process/clock.ts';

export const THINGS: KubeResource = { group: 'test.example', version: 'v1', plural: 'things' };

export interface Asked {
  readonly kind: 'list' | 'watch' | 'other';
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, asked: Asked) => void;

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly version: number;
}

interface Watcher {
  readonly response: ServerResponse;
  readonly namespace: string | undefined;
}

/** An API server with one resource in memory: pages, watches, compaction; any answer can be put in place of its own. */
export class FakeKubeApi {
  readonly asked: Asked[] = [];
  readonly #objects = new Map<string, KubeObject>();
  readonly #pages = new Map<string, { readonly version: number; readonly objects: readonly KubeObject[] }>();
  readonly #watchers = new Set<Watcher>();
  readonly #silent = new Set<Watcher>();
  readonly #scripts: { readonly kind: Asked['kind']; readonly answer: Answer }[] = [];
  #log: Change[] = [];
  #version = 100;
  #compacted = 0;
  #uids = 0;
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response);
  });

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  client(options: Partial<KubeClientOptions> = {}): KubeClient {
    return createKubeClient({
      kubeConfig: kubeConfigOf(this.url),
      userAgent: 'test/1',
      clock: SYSTEM_CLOCK,
      ...options,
    });
  }

  /** The next request of that kind is answered so. */
  script(kind: Asked['kind'], answer: Answer): void {
    this.#scripts.push({ kind, answer });
  }

  get objects(): KubeObject[] {
    return [...this.#objects.values()];
  }

  get watching(): number {
    return this.#watchers.size;
  }

  get version(): string {
    return String(this.#version);
  }

  /** Creates, or changes, an object. */
  set(name: string, value: unknown, namespace = 'default'): KubeObject {
    const key = `${namespace}/${name}`;
    const known = this.#objects.get(key);
    this.#version += 1;
    this.#uids += known === undefined ? 1 : 0;
    const uid = known?.metadata.uid ?? `uid-${this.#uids}`;
    const object = { metadata: { name, namespace, uid, resourceVersion: this.version }, value };
    this.#objects.set(key, object);
    this.#record({ type: known === undefined ? 'ADDED' : 'MODIFIED', object, version: this.#version });
    return object;
  }

  remove(name: string, namespace = 'default'): void {
    const key = `${namespace}/${name}`;
    const known = this.#objects.get(key);
    if (known === undefined) return;
    this.#version += 1;
    this.#objects.delete(key);
    const object = { ...known, metadata: { ...known.metadata, resourceVersion: this.version } };
    this.#record({ type: 'DELETED', object, version: this.#version });
  }

  /** Forgets the history: who does not know the present state by now has to list. */
  compact(): void {
    this.#log = [];
    this.#compacted = this.#version;
    this.#pages.clear();
  }

  /** Goes back to an earlier state, as after a restored backup. */
  restore(objects: readonly KubeObject[], version: number): void {
    this.#objects.clear();
    for (const object of objects) this.#objects.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
    this.#version = version;
    this.#compacted = version;
    this.#log = [];
  }

  /** Time passes without a change of these objects. */
  bookmark(): void {
    this.#version += 10;
    this.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: this.version } } });
  }

  /** To all who watch. */
  send(event: unknown): void {
    for (const { response } of this.#watchers) response.write(`${JSON.stringify(event)}\n`);
  }

  write(bytes: string | Uint8Array): void {
    for (const { response } of this.#watchers) response.write(bytes);
  }

  /** Ends all watches in good order. */
  end(lastBytes = ''): void {
    for (const { response } of this.#dropped()) response.end(lastBytes);
  }

  /** Breaks the connections of all watches. */
  cut(): void {
    for (const { response } of this.#dropped()) response.destroy();
  }

  /** Takes all watches off the news, and leaves their connections open. */
  silence(): void {
    for (const watcher of this.#watchers) this.#silent.add(watcher);
    this.#watchers.clear();
  }

  #dropped(): Watcher[] {
    const all = [...this.#watchers, ...this.#silent];
    this.#watchers.clear();
    this.#silent.clear();
    return all;
  }

  #record(change: Change): void {
    this.#log.push(change);
    for (const watcher of this.#watchers) this.#tell(watcher, change);
  }

  #tell({ response, namespace }: Watcher, { type, object }: Change): void {
    if (namespace === undefined || namespace === object.metadata.namespace)
      response.write(`${JSON.stringify({ type, object })}\n`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const url = new URL(request.url ?? '', 'http://fake');
    const query = url.searchParams;
    const method = request.method ?? '';
    const isThings = method === 'GET' && url.pathname.endsWith('/things');
    const kind = !isThings ? 'other' : query.has('watch') ? 'watch' : 'list';
    const asked = {
      kind,
      method,
      path: url.pathname,
      query,
      headers: request.headers,
      body: await text(request),
    } as const;
    this.asked.push(asked);
    const scripted = this.#scripts.findIndex((script) => script.kind === kind);
    const [, namespace] = /\/namespaces\/([^/]+)\//u.exec(url.pathname) ?? [];
    if (scripted !== -1) this.#scripts.splice(scripted, 1)[0]?.answer(response, asked);
    else if (kind === 'list') this.#list(response, query, namespace);
    else if (kind === 'watch') this.#watch(response, query, namespace);
    else fail(404, 'NotFound', 'there is no such thing')(response, asked);
  }

  #list(response: ServerResponse, query: URLSearchParams, namespace: string | undefined): void {
    const token = query.get('continue');
    const [page = '', from = '0'] = (token ?? '').split('.');
    const isMine = (object: KubeObject) => namespace === undefined || namespace === object.metadata.namespace;
    const whole =
      token === null ? { version: this.#version, objects: this.objects.filter(isMine) } : this.#pages.get(page);
    if (whole === undefined) {
      answer(response, 410, status(410, 'Expired', 'The provided continue parameter is too old'));
      return;
    }
    const limit = Number(query.get('limit') ?? whole.objects.length);
    const end = Number(from) + limit;
    const id = token === null ? `p${this.#pages.size}v${this.#version}` : page;
    this.#pages.set(id, whole);
    const metadata = {
      resourceVersion: String(whole.version),
      ...(end < whole.objects.length ? { continue: `${id}.${end}` } : {}),
    };
    answer(response, 200, { kind: 'ThingList', metadata, items: whole.objects.slice(Number(from), end) });
  }

  #watch(response: ServerResponse, query: URLSearchParams, namespace: string | undefined): void {
    const since = Number(query.get('resourceVersion'));
    if (since > this.#version) {
      answer(response, 504, status(504, 'Timeout', 'Too large resource version'));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (since < this.#compacted) {
      response.end(
        `${JSON.stringify({ type: 'ERROR', object: status(410, 'Expired', 'too old resource version') })}\n`,
      );
      return;
    }
    const watcher = { response, namespace };
    for (const change of this.#log) if (change.version > since) this.#tell(watcher, change);
    this.#watchers.add(watcher);
    response.on('close', () => this.#watchers.delete(watcher));
  }
}

/** An answer with a failure, as the API server words it. */
export function fail(code: number, reason: string, message = reason, more: object = {}, headers = {}): Answer {
  return (response) => answer(response, code, { ...status(code, reason, message), ...more }, headers);
}

export function answer(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export function status(code: number, reason: string, message: string): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message };
}

export function kubeConfigOf(server: string, user: object = {}): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'fake', server, skipTLSVerify: true }],
    users: [{ name: 'tester', token: 'secret', ...user }],
    contexts: [{ name: 'fake', cluster: 'fake', user: 'tester' }],
    currentContext: 'fake',
  });
  return config;
}
