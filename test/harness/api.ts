import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly body: any;
  readonly headers: Headers;
}

/** A small client for tests: JSON in, JSON out, no error for any status. */
export class Api {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PATCH', path, body, { 'content-type': 'application/json-patch+json', ...headers });
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text), headers: response.headers };
  }
}

/** The path of an entity, or of an aspect of it. */
export function entityPath(version: 'v2' | 'v3', urn: string, aspect?: string): string {
  const type = urn.split(':')[2];
  return `/openapi/${version}/entity/${type}/${encodeURIComponent(urn)}${aspect === undefined ? '' : `/${aspect}`}`;
}

/** A patch of one property of an entity. */
export function addProperty(propertyUrn: string, values: readonly object[]): object {
  const path = `/properties/${propertyUrn}`;
  return {
    patch: [{ op: 'add', path, value: { propertyUrn, values } }],
    arrayPrimaryKeys: { properties: ['propertyUrn'] },
  };
}

/** Sends the same again while a slow server answers 503, which is what a client does. @returns the last answer. */
export async function untilTaken(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send();
    if (answer.status !== 503 || attempt === 20) return answer;
    await sleep(200);
  }
}

/** In halves when a slow server cannot take it in the time of a request. @throws what was answered, when it was not taken. */
export async function postBatch(api: Api, entityType: string, items: readonly object[]): Promise<void> {
  const send = () => api.post(`/openapi/v3/entity/${entityType}?async=false`, items);
  const { status, body } = items.length === 1 ? await untilTaken(send) : await send();
  if (status === 503 && items.length > 1) {
    const half = items.length >> 1;
    await postBatch(api, entityType, items.slice(0, half));
    await postBatch(api, entityType, items.slice(half));
  } else if (status !== 200) throw new Error(`a batch was answered ${status}: ${JSON.stringify(body)}`);
}

/**
 * Looks again soon, then ever less often, at last every `interval` ms, until the check holds.
 * @throws what the check said last, after `timeout` ms.
 */
export async function eventually<T>(check: () => Promise<T>, timeout = 120_000, interval = 50): Promise<T> {
  const until = performance.now() + timeout;
  for (let pause = Math.min(5, interval); ; pause = Math.min(2 * pause, interval)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(pause);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
