import type { FastifyInstance, InjectOptions } from 'fastify';
import type { AuthParts } from '../../api-server/auth/parts.ts';
import { createServer } from '../../api-server/create-server.ts';
import { AUTH_OFF } from './auth.ts';
import { TestCatalog } from './catalog.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly body: any;
  readonly headers: Record<string, unknown>;
}

export interface Options {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The HTTP server over a catalogue of its own, without a network. */
export class TestServer {
  readonly catalog: TestCatalog;
  readonly server: FastifyInstance;

  private constructor(catalog: TestCatalog, server: FastifyInstance) {
    this.catalog = catalog;
    this.server = server;
  }

  /** @param auth in the place of what `settings` make. @param settings without them, access control is off. */
  static async open(auth: Partial<AuthParts> = {}, settings = AUTH_OFF): Promise<TestServer> {
    const catalog = await TestCatalog.open({}, settings);
    const parts = { ...catalog.parts, auth: { ...catalog.parts.auth, ...auth } };
    return new TestServer(catalog, await createServer(parts, '1.2.3'));
  }

  /** Every route, as `METHOD /path`, without those that only refuse a method. */
  get routes(): string[] {
    return [...this.server.methodsOf].flatMap(([path, methods]) => methods.map((method) => `${method} ${path}`));
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.catalog.close();
  }

  /** A body that is no text is sent as JSON. */
  async send(
    method: InjectOptions['method'] & string,
    url: string,
    { body, headers = {} }: Options = {},
  ): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const options = { method: method as 'GET', url, headers: { ...type, ...headers } };
    const response = await this.server.inject(payload === undefined ? options : { ...options, payload });
    return { status: response.statusCode, headers: response.headers, body: parse(response.payload) };
  }

  get(url: string, options?: Options): Promise<Answer> {
    return this.send('GET', url, options);
  }

  post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', url, { body, headers });
  }

  patch(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PATCH', url, { body, headers: { 'content-type': 'application/json-patch+json', ...headers } });
  }
}

/** Path of an entity or of an aspect of it. */
export function path(version: 'v2' | 'v3', urn: string, aspect?: string): string {
  const type = urn.split(':')[2];
  return `/openapi/${version}/entity/${type}/${encodeURIComponent(urn)}${aspect === undefined ? '' : `/${aspect}`}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
