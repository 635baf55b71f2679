import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isHttpError, MissingError } from '../../client/http-errors.ts';
import type { ResourceId } from '../../model/resource/identity.ts';
import { publicFieldOf } from '../../model/search-name.ts';
import { parseUrn } from '../../model/urn.ts';
import type { Owner, OwnerMark } from '../../operator/catalogue/catalogue.ts';
import { SYSTEM_CLOCK } from '../../process/clock.ts';
import { FakeCatalogue } from './fake-catalogue.ts';
import { FakeRecords } from './fake-records.ts';
import { FakeSources } from './fake-sources.ts';
import { FakeTokens } from './fake-tokens.ts';

interface Asked {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  readonly body: any;
  readonly owner: Owner | undefined;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether a request, as `METHOD /path`, changes nothing, whatever it asks. */
export function onlyReads(request: string): boolean {
  return /^(?:GET |POST \/openapi\/v3\/entity\/(?:scroll|\w+\/batchGet)$)/u.test(request);
}

/** An API server as the operator sees it, in memory, that notes what it is asked and can be made to fail. */
export class FakeServer {
  readonly catalogue = new FakeCatalogue();
  readonly records = new FakeRecords();
  readonly sources = new FakeSources();
  readonly tokens = new FakeTokens(SYSTEM_CLOCK);
  /** The header `Authorization` of each request. */
  readonly credentials = new Set<string | undefined>();
  /** Requests that change the catalogue, as `METHOD /path`. */
  readonly writes: string[] = [];
  /** Every request, as `METHOD /path`. */
  readonly requests: string[] = [];
  /** Statuses that were stored. */
  statusWrites = 0;
  /** While set, every answer is this status. */
  failing: number | undefined;
  /** Waited for before a request, as `METHOD /path`, is carried out; may throw what it is answered with. */
  before: (request: string) => Promise<void> | void = () => undefined;
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return this;
  }

  /** What `/jobs` lists. */
  jobs: { kind: string; state: string; total: number; processed: number; remaining: number }[] = [];

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const body = await text(request);
    if (this.failing !== undefined)
      return { status: this.failing, body: { error: 'Unavailable', message: 'out of order' } };
    const url = new URL(request.url ?? '', 'http://fake');
    this.requests.push(`${request.method} ${url.pathname}`);
    this.credentials.add(request.headers.authorization);
    const header = request.headers['x-proplane-owner'];
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname.slice(1).split('/').map(decodeURIComponent),
      query: url.searchParams,
      body: body === '' ? undefined : JSON.parse(body),
      owner:
        header === undefined
          ? undefined
          : (Object.fromEntries(new URLSearchParams(String(header))) as unknown as Owner),
    };
    try {
      await this.before(`${request.method} ${url.pathname}`);
      return { status: 200, body: await this.#route(asked) };
    } catch (error) {
      if (isHttpError(error)) {
        const status = error.code === 'rejected' ? error.status : error.code === 'unauthorized' ? 401 : 404;
        const headers = error instanceof MissingError && error.reason ? { 'not-found-reason': error.reason } : {};
        const violations = error.code === 'rejected' ? error.violations : [];
        return { status, body: { error: 'Refused', message: error.message, violations }, headers };
      }
      return { status: 500, body: { error: 'Fault', message: String(error) } };
    }
  }

  async #graphql({ body }: Asked): Promise<unknown> {
    try {
      return { data: await this.tokens.answer(body) };
    } catch (error) {
      const code = error instanceof MissingError ? 404 : 500;
      return { data: null, errors: [{ message: String(error), extensions: { code } }] };
    }
  }

  #route(asked: Asked): unknown {
    switch (asked.path[0]) {
      case 'ready':
        return {};
      case 'fences':
        return {};
      case 'api':
        return this.#graphql(asked);
      case 'owners':
        return this.#owners(asked);
      case 'jobs':
        return { jobs: this.jobs.map((job) => ({ id: job.kind, subject: '', pass: 1, created: 0, ...job })) };
      case 'sources':
        return this.#sources(asked);
      case 'resources':
        return this.#resources(asked);
      case 'openapi':
        return this.#entities(asked);
      default:
        throw new MissingError(`no such route: ${asked.path.join('/')}`);
    }
  }

  #entities({ method, path, query, body, owner }: Asked): unknown {
    const [, , , type = '', urn, aspect] = path;
    if (type === 'scroll') return this.#list(body.entities, query);
    if (urn === undefined) return this.#list([type], query);
    const owned = (found: object, of: string) => ({ ...found, owners: this.catalogue.marks.on(of) });
    if (urn === 'batchGet') {
      return (body as { urn: string }[]).flatMap((one) => {
        const found = this.#find(one.urn);
        return found === undefined ? [] : [owned(found, one.urn)];
      });
    }
    if (method === 'GET') return owned(this.#read(urn), urn);
    this.writes.push(`${method} ${urn}${aspect === undefined ? '' : `/${aspect}`}`);
    if (method === 'DELETE') this.catalogue.delete(urn);
    else if (aspect === 'propertyDefinition') this.catalogue.define(urn, body, owner);
    else if (aspect === 'status') this.catalogue.setRemoved(urn, body.removed, owner);
    else {
      const create = query.get('createIfEntityNotExists') === 'true';
      this.catalogue.patch(urn, body, { owner, create });
      return this.#read(urn);
    }
    return undefined;
  }

  #read(urn: string): object {
    const found = this.#find(urn);
    if (found === undefined) throw new MissingError(`There is no ${urn}`, 'ENTITY');
    return found;
  }

  #find(urn: string): object | undefined {
    if (parseUrn(urn).entityType.name === 'structuredProperty') {
      const property = this.catalogue.readProperty(urn);
      if (property === undefined) return undefined;
      const { definition, removed } = property;
      const defined = definition === undefined ? {} : { propertyDefinition: { value: definition } };
      return { urn, ...defined, status: { value: { removed } } };
    }
    const properties = this.catalogue.readAssignments(urn);
    if (properties === undefined) return undefined;
    return { urn, ...(properties.length === 0 ? {} : { structuredProperties: { value: { properties } } }) };
  }

  #list(types: readonly string[], query: URLSearchParams): unknown {
    const known = [...this.catalogue.properties.keys(), ...this.catalogue.holders.keys()];
    const urns = known.filter(
      (urn) => types.includes(parseUrn(urn).entityType.name) && this.#meets(urn, query.get('query') ?? '*'),
    );
    return { entities: query.get('count') === '0' ? [] : urns.map((urn) => ({ urn })), totalCount: urns.length };
  }

  /** Either parts of the key, or that a property is held: nothing else is asked here. */
  #meets(urn: string, text: string): boolean {
    const [, field] = /^_exists_:(.+)$/u.exec(text) ?? [];
    if (field !== undefined) {
      return (this.catalogue.readAssignments(urn) ?? []).some(({ propertyUrn }) => {
        const definition = this.catalogue.properties.get(propertyUrn)?.definition;
        return definition !== undefined && publicFieldOf(definition) === field.replaceAll('\\', '');
      });
    }
    const conditions = text.split(' AND ').filter((condition) => condition !== '*');
    return conditions.every((condition) => parseUrn(urn).key.includes(condition.split('"')[1] ?? ''));
  }

  #owners({ method, query }: Asked): unknown {
    const given = [...query].filter(([name]) => name !== 'count') as [keyof OwnerMark, string][];
    const found = [...this.catalogue.marks].filter((mark) => given.every(([name, value]) => mark[name] === value));
    if (method === 'GET') return { owners: found };
    for (const mark of found) this.catalogue.marks.clear(mark.urn, mark.propertyUrn, mark as OwnerMark & ResourceId);
    return { cleared: found.length };
  }

  #sources({ method, path, query, body }: Asked): unknown {
    const [, name = '', what] = path;
    if (what === 'place') return this.sources.place(name, body);
    if (method === 'DELETE') return this.sources.release(name, query.get('holder') ?? '');
    return this.sources.lease(name, body);
  }

  #resources({ method, path, query, body }: Asked): unknown {
    const [, first] = path;
    const source = query.get('source');
    if (first === 'register') return { resources: this.records.register(body.source, body.resources) };
    if (first === 'held-deletions') {
      if (method === 'PUT') return this.records.hold(body.source, body.resources);
      return { held: [...this.records.held.values()].filter((held) => source === null || held.source === source) };
    }
    const key = path.slice(1).join('/');
    if (key === '')
      return { resources: [...this.records.stored.values()].filter((record) => record.source === source) };
    if (method === 'GET') return this.records.stored.get(key);
    if (method === 'DELETE') this.records.stored.delete(key);
    else {
      this.statusWrites += 1;
      this.records.putStatus(key, body.source, body.status);
    }
    return undefined;
  }
}
