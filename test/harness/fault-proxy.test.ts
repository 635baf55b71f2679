import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Api, eventually } from './api.ts';
import { FaultProxy } from './fault-proxy.ts';

/** Against a small server that repeats what it gets, and has one stream of changes. */

let upstream: Server;
let address: string;
let proxy: FaultProxy;
let api: Api;
/** What has arrived, as `METHOD path body`. */
let arrived: string[];
let watchers: ServerResponse[];

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.includes('watch=true')) {
    watchers.push(response);
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    return;
  }
  const body = request.method === 'POST' ? await json(request) : undefined;
  arrived.push([request.method, request.url, JSON.stringify(body)].join(' ').trim());
  response.writeHead(201, { 'x-answered': 'yes', 'content-type': 'application/json' });
  response.end(JSON.stringify({ body, authorization: request.headers.authorization }));
}

beforeEach(async () => {
  arrived = [];
  watchers = [];
  upstream = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  proxy = await FaultProxy.start({ upstream: address });
  api = new Api(proxy.url);
});

afterEach(async () => {
  await proxy.stop();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

describe('a request', () => {
  it('passes as it is, and so does its answer', async () => {
    const { status, body, headers } = await api.post('/things?a=1', { n: 1 }, { authorization: 'Bearer mine' });
    expect({ status, body }).toEqual({ status: 201, body: { body: { n: 1 }, authorization: 'Bearer mine' } });
    expect(headers.get('x-answered')).toBe('yes');
    expect(arrived).toEqual(['POST /things?a=1 {"n":1}']);
  });

  it('is seen with its path, query, headers and status', async () => {
    await api.send('GET', '/things?a=1&a=2', undefined, { 'user-agent': 'test' });
    const [seen] = proxy.requests;
    expect(seen).toMatchObject({ method: 'GET', path: '/things', status: 201, headers: { 'user-agent': 'test' } });
    expect(seen?.query.getAll('a')).toEqual(['1', '2']);
  });

  it('is sent with the authorization that the proxy is given', async () => {
    const authorized = await FaultProxy.start({ upstream: address, authorization: 'Bearer other' });
    const { body } = await new Api(authorized.url).get('/');
    expect(body.authorization).toBe('Bearer other');
    await authorized.stop();
  });

  it('can be answered without the server', async () => {
    proxy.before = ({ path }, body) =>
      path === '/busy' ? { status: 429, headers: { 'retry-after': '3' }, body: { was: JSON.parse(body) } } : undefined;
    const { status, body, headers } = await api.post('/busy', { n: 1 });
    expect({ status, body, after: headers.get('retry-after') }).toEqual({
      status: 429,
      body: { was: { n: 1 } },
      after: '3',
    });
    expect((await api.get('/idle')).status).toBe(201);
    expect(proxy.requests.map(({ status }) => status)).toEqual([429, 201]);
    expect(arrived).toEqual(['GET /idle']);
  });

  it('can be lost before it arrives', async () => {
    proxy.before = () => 'drop';
    await expect(api.get('/lost')).rejects.toThrow('fetch failed');
    expect(arrived).toEqual([]);
    expect(proxy.requests.map(({ status }) => status)).toEqual([undefined]);
  });

  it('can be carried out and its answer lost', async () => {
    proxy.after = ({ status }) => (status === 201 ? 'drop' : undefined);
    await expect(api.post('/done', { n: 1 })).rejects.toThrow('fetch failed');
    expect(arrived).toEqual(['POST /done {"n":1}']);
  });

  it('can be held on its way there and on its way back', async () => {
    const there = Promise.withResolvers<undefined>();
    const back = Promise.withResolvers<undefined>();
    proxy.before = () => there.promise;
    proxy.after = () => back.promise;
    const answered = api.get('/held').then(({ status }) => status);
    await eventually(async () => expect(proxy.requests).toHaveLength(1));
    expect(arrived).toEqual([]);
    there.resolve(undefined);
    await eventually(async () => expect(arrived).toEqual(['GET /held']));
    back.resolve(undefined);
    expect(await answered).toBe(201);
  });

  it('that is held arrives although its client has gone', async () => {
    const there = Promise.withResolvers<undefined>();
    proxy.before = () => there.promise;
    const given = AbortSignal.timeout(200);
    const late = fetch(`${proxy.url}/late`, { method: 'POST', body: '{"n":1}', signal: given });
    await expect(late).rejects.toThrow();
    there.resolve(undefined);
    await eventually(async () => expect(arrived).toEqual(['POST /late {"n":1}']));
  });

  it('is broken off where the server is away', async () => {
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    await expect(api.get('/')).rejects.toThrow('fetch failed');
  });

  it('says what is wrong with the test that asks for faults', async () => {
    proxy.before = () => {
      throw new Error('a mistake');
    };
    expect(await api.get('/')).toMatchObject({ status: 502, body: expect.stringContaining('a mistake') });
  });

  it('is refused while the proxy is down, and passes again on the same address', async () => {
    await proxy.down();
    const refused = await api.get('/').catch((error: Error) => error.cause);
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.up();
    expect((await api.get('/')).status).toBe(201);
  });
});

describe('a watch', () => {
  /** Lines as they come, and how it ended: with the error, or with undefined. */
  class Listener {
    text = '';
    readonly ended: Promise<unknown>;

    constructor(signal?: AbortSignal) {
      this.ended = this.#listen(signal).catch((error: unknown) => error);
    }

    async #listen(signal?: AbortSignal): Promise<void> {
      const response = await fetch(`${proxy.url}/things?watch=true`, { signal: signal ?? null });
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) this.text += decoder.decode(chunk as Uint8Array);
    }
  }

  async function open(signal?: AbortSignal): Promise<Listener> {
    const count = proxy.openWatches + 1;
    const listener = new Listener(signal);
    await eventually(async () => expect(proxy.openWatches).toBe(count));
    return listener;
  }

  const says = (listener: Listener, text: string) => eventually(async () => expect(listener.text).toBe(text));

  function tell(line: string): void {
    for (const watcher of watchers) watcher.write(`${line}\n`);
  }

  it('hears each change when it comes, and ends as the server ends it', async () => {
    const listener = await open();
    tell('1');
    await says(listener, '1\n');
    tell('2');
    await says(listener, '1\n2\n');
    for (const watcher of watchers) watcher.end();
    expect(await listener.ended).toBeUndefined();
  });

  it('ends at the server when its client goes', async () => {
    const client = new AbortController();
    await open(client.signal);
    const closed = new Promise((resolve) => watchers[0]?.on('close', resolve));
    client.abort();
    await closed;
    await eventually(async () => expect(proxy.openWatches).toBe(0));
  });

  it('can be cut', async () => {
    const listeners = [await open(), await open()];
    proxy.cutWatches();
    for (const { ended } of listeners) expect(await ended).toMatchObject({ message: 'terminated' });
    expect(await api.get('/')).toMatchObject({ status: 201 });
  });

  it('that is silenced stays open, and hears what it has missed afterwards', async () => {
    const before = await open();
    proxy.silenceWatches();
    const after = await open();
    tell('1');
    await api.get('/other');
    expect([before.text, after.text]).toEqual(['', '']);
    expect(proxy.openWatches).toBe(2);
    proxy.unsilenceWatches();
    await says(before, '1\n');
    await says(after, '1\n');
  });

  it('that was given up in the silence does not come back', async () => {
    const client = new AbortController();
    const listener = await open(client.signal);
    proxy.silenceWatches();
    tell('1');
    client.abort();
    await listener.ended;
    await eventually(async () => expect(proxy.openWatches).toBe(0));
    proxy.unsilenceWatches();
    expect(listener.text).toBe('');
  });

  it('can break off in the middle of a line', async () => {
    const listener = await open();
    proxy.truncateWatches();
    for (const watcher of watchers) watcher.write('{"n":1}\n{"n":2}\n');
    expect(await listener.ended).toMatchObject({ message: 'terminated' });
    expect(listener.text).toBe('{"n":1}\n{"n"');
    await eventually(async () => expect(proxy.openWatches).toBe(0));
    const next = await open();
    tell('{"n":3}');
    await says(next, '{"n":3}\n');
  });

  it('is broken by an outage', async () => {
    const listener = await open();
    await proxy.down();
    expect(await listener.ended).toMatchObject({ message: 'terminated' });
    await eventually(async () => expect(proxy.openWatches).toBe(0));
    await proxy.up();
    await open();
  });
});
