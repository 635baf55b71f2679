import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseUrn } from '../../model/urn.ts';
import type { Owner, OwnerMark } from '../../operator/catalogue/catalogue.ts';
import { FakeCatalogue, type PatchOperation, Refusal } from './fake-catalogue.ts';
import { FakeRecords } from './fake-records.ts';

interface Asked {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  readonly body: any;
  readonly owner: Owner | undefined;
}

/** An API server as the operator sees it, in memory, that notes what it is asked and can be made to fail. */
export class FakeServer {
  readonly catalogue = new FakeCatalogue();
  readonly records = new FakeRecords();
  /** Requests that change the catalogue, as `METHOD /path`. */
  readonly writes: string[] = [];
  /** Statuses that were stored. */
  statusWrites = 0;
  /** While set, every answer is this status. */
  failing: number | undefined;
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
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
  jobs: { kind: string; state: string; processed: number; remaining: number }[] = [];

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body?: unknown }> {
    const body = await text(request);
    if (this.failing !== undefined)
      return { status: this.failing, body: { error: 'Unavailable', message: 'out of order' } };
    const url = new URL(request.url ?? '', 'http://fake');
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
      return { status: 200, body: this.#route(asked) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: { error: 'Refused', message: error.message } };
      return { status: 500, body: { error: 'Fault', message: String(error) } };
    }
  }

  #route(asked: Asked): unknown {
    switch (asked.path[0]) {
      case 'ready':
        return {};
      case 'owners':
        return this.#owners(asked);
      case 'jobs':
        return { jobs: this.jobs };
      case 'resources':
        return this.#resources(asked);
      case 'openapi':
        return this.#entities(asked);
      default:
        throw new Refusal(404, `no such route: ${asked.path.join('/')}`);
    }
  }

  #entities({ method, path, query, body, owner }: Asked): unknown {
    const [, , , , urn, aspect] = path;
    if (urn === undefined) return this.#list(query);
    if (method === 'GET') return this.catalogue.readEntity(urn);
    this.writes.push(`${method} ${urn}${aspect === undefined ? '' : `/${aspect}`}`);
    if (method === 'DELETE') this.catalogue.delete(urn);
    else if (aspect === 'propertyDefinition') this.catalogue.define(urn, body, owner);
    else if (aspect === 'status') this.catalogue.setRemoved(urn, body.removed, owner);
    else {
      const create = query.get('createIfEntityNotExists') === 'true';
      return this.catalogue.patch(urn, body.patch as PatchOperation[], owner, create);
    }
    return undefined;
  }

  #list(query: URLSearchParams): unknown {
    const conditions = (query.get('query') ?? '*').split(' AND ').filter((text) => text !== '*');
    const entities = [...this.catalogue.holders.keys()].filter((urn) => {
      const { entityType, key } = parseUrn(urn);
      return entityType.name === 'dataset' && conditions.every((text) => key.includes(text.split('"')[1] ?? ''));
    });
    return { entities: entities.map((urn) => ({ urn })) };
  }

  #owners({ method, query }: Asked): unknown {
    const given = [...query].filter(([name]) => name !== 'count') as [keyof OwnerMark, string][];
    const found = [...this.catalogue.marks].filter(([, mark]) => given.every(([name, value]) => mark[name] === value));
    if (method === 'GET') return { owners: found.map(([, mark]) => mark) };
    for (const [key] of found) this.catalogue.marks.delete(key);
    return { cleared: found.length };
  }

  #resources({ method, path, query, body }: Asked): unknown {
    const [, first] = path;
    const source = query.get('source');
    if (first === 'register') return { resources: this.records.register(body.source, body.resources) };
    if (first === 'confirm-deletions') return this.records.confirm();
    if (first === 'held-deletions') {
      if (method === 'PUT') return this.records.hold(body.source, body.resources, body.reason);
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
