import { text } from 'node:stream/consumers';
import type { Clock } from '../process/clock.ts';
import { Deadline } from './deadline.ts';
import { asKubeObject, errorOfAnswer, errorOfEvent, parseAnswer } from './kube-answer.ts';
import type { KubeClient, KubeList, KubeReviews, WatchEvent, WatchQuery } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import type { KubeObject, KubeRef, KubeResource } from './kube-object.ts';
import { type KubeRequest, KubeTransport, type KubeTransportOptions } from './kube-transport.ts';
import { watchLines } from './watch-lines.ts';

export interface KubeClientOptions extends KubeTransportOptions {
  /** Longest time of one request; of a watch, until its answer begins. */
  readonly timeoutMs?: number;
  readonly clock: Clock;
}

/** @throws Error when the kubeconfig has no current cluster. */
export function createKubeClient({
  timeoutMs = 30_000,
  clock,
  ...options
}: KubeClientOptions): KubeClient & KubeReviews {
  const transport = new KubeTransport(options);

  async function ask(request: KubeRequest, signal?: AbortSignal): Promise<unknown> {
    const what = `${request.method} ${request.path}`;
    const deadline = new Deadline(clock, timeoutMs, signal);
    try {
      const { statusCode, headers, body } = await transport.send(request, deadline);
      const said = await text(body).catch((error: unknown) => {
        throw transport.noAnswer(deadline.signal.reason ?? error);
      });
      if (statusCode < 200 || statusCode > 299) throw errorOfAnswer(what, statusCode, said, headers['retry-after']);
      return parseAnswer(what, said);
    } finally {
      deadline.clear();
    }
  }

  async function askObject(request: KubeRequest): Promise<KubeObject> {
    return asKubeObject(`${request.method} ${request.path}`, await ask(request));
  }

  async function* watch(
    resource: KubeResource,
    namespace: string | undefined,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void, void> {
    const path = pathOf(resource, namespace);
    const what = `WATCH ${path}`;
    const { resourceVersion, timeoutSeconds } = query;
    const asked = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion, timeoutSeconds: `${timeoutSeconds}` };
    const deadline = new Deadline(clock, timeoutMs, signal);
    try {
      const { statusCode, headers, body } = await transport.send(
        { method: 'GET', path, query: new URLSearchParams(asked) },
        deadline,
      );
      if (statusCode !== 200) throw errorOfAnswer(what, statusCode, await text(body), headers['retry-after']);
      deadline.extend(query.idleMs);
      query.opened?.();
      for await (const line of watchLines(extending(body, deadline, query.idleMs))) yield eventOf(what, line);
    } catch (error) {
      if (signal.aborted) return;
      throw error instanceof KubeError ? error : transport.noAnswer(deadline.signal.reason ?? error);
    } finally {
      deadline.clear();
    }
  }

  return {
    read: (ref) => askObject({ method: 'GET', path: pathOfRef(ref) }),
    list: async (resource, { namespace, limit, continue: next }, signal) => {
      const path = pathOf(resource, namespace);
      const query = new URLSearchParams();
      if (limit !== undefined) query.set('limit', String(limit));
      if (next !== undefined) query.set('continue', next);
      return asList(`GET ${path}`, await ask({ method: 'GET', path, query }, signal));
    },
    create: (resource, object, namespace) =>
      askObject({ method: 'POST', path: pathOf(resource, namespace), ...json(object) }),
    review: (resource, question) => ask({ method: 'POST', path: pathOf(resource, undefined), ...json(question) }),
    replace: (ref, object) => askObject({ method: 'PUT', path: pathOfRef(ref), ...json(object) }),
    patch: (ref, operations, subresource) =>
      askObject({
        method: 'PATCH',
        path: `${pathOfRef(ref)}${subresource === undefined ? '' : `/${subresource}`}`,
        body: JSON.stringify(operations),
        contentType: 'application/json-patch+json',
      }),
    watch,
  };
}

/** What comes within the time limit, which each chunk puts off. */
async function* extending(chunks: AsyncIterable<Uint8Array>, deadline: Deadline, ms: number) {
  for await (const chunk of chunks) {
    deadline.extend(ms);
    yield chunk;
  }
}

function json(object: object): { body: string; contentType: string } {
  return { body: JSON.stringify(object), contentType: 'application/json' };
}

function pathOf({ group, version, plural }: KubeResource, namespace: string | undefined): string {
  const api = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined ? `${api}/${plural}` : `${api}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

function pathOfRef({ resource, namespace, name }: KubeRef): string {
  return `${pathOf(resource, namespace)}/${encodeURIComponent(name)}`;
}

function asList(what: string, value: unknown): KubeList {
  const list = value as { items?: unknown; metadata?: { resourceVersion?: unknown; continue?: unknown } } | null;
  const { resourceVersion, continue: next } = list?.metadata ?? {};
  // A server that keeps an empty list as a nil slice sends null.
  const items = list?.items ?? [];
  if (typeof resourceVersion !== 'string' || resourceVersion === '' || !Array.isArray(items))
    throw new KubeError('unavailable', `${what}: the answer is no list with a resourceVersion`);
  return {
    items: items.map((item) => asKubeObject(what, item)),
    resourceVersion,
    ...(typeof next === 'string' && next !== '' ? { continue: next } : {}),
  };
}

/** @throws KubeError for an event that tells of an error or cannot be read. */
function eventOf(what: string, line: string): WatchEvent {
  const event = parseAnswer(what, line) as { type?: unknown; object?: unknown } | null;
  switch (event?.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event.type, object: asKubeObject(what, event.object) };
    case 'BOOKMARK': {
      const object = event.object as KubeObject | null | undefined;
      if (typeof object?.metadata?.resourceVersion !== 'string' || object.metadata.resourceVersion === '')
        throw new KubeError('unavailable', `${what}: a bookmark has no resourceVersion`);
      return { type: 'BOOKMARK', object };
    }
    case 'ERROR':
      throw errorOfEvent(what, event.object);
    default:
      throw new KubeError('unavailable', `${what}: unknown kind of event: ${String(event?.type)}`);
  }
}
