import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WatchEvent, WatchQuery } from '../../kubernetes/kube-client.ts';
import type { KubeError } from '../../kubernetes/kube-error.ts';
import { eventually } from '../harness/api.ts';
import { TestClock } from '../harness/test-clock.ts';
import { answer, FakeKubeApi, fail, kubeConfigOf, status, THINGS } from './fake-kube-api.ts';

const REF = { resource: THINGS, namespace: 'default', name: 'a' };
const OBJECT = { metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '7' }, value: 1 };

let api: FakeKubeApi;
beforeEach(async () => {
  api = await new FakeKubeApi().listen();
});
afterEach(() => api.close());

describe('a request', () => {
  it('goes to the path of its group, with the token, the user agent and the type of a JSON patch', async () => {
    api.script('other', (response) => answer(response, 200, OBJECT));
    const operations = [{ op: 'test', path: '/value', value: 1 } as const];
    expect(await api.client().patch(REF, operations, 'status')).toEqual(OBJECT);
    expect(api.asked[0]).toMatchObject({
      method: 'PATCH',
      path: '/apis/test.example/v1/namespaces/default/things/a/status',
      body: JSON.stringify(operations),
      headers: {
        authorization: 'Bearer secret',
        'user-agent': 'test/1',
        'content-type': 'application/json-patch+json',
        accept: 'application/json',
      },
    });
  });

  it('of the core group and of no namespace has their paths', async () => {
    api.script('other', (response) => answer(response, 200, OBJECT));
    await api.client().read({ resource: { group: '', version: 'v1', plural: 'namespaces' }, name: 'a' });
    expect(api.asked[0]?.path).toBe('/api/v1/namespaces/a');
  });

  it('keeps the path that the address of the server has', async () => {
    api.script('other', (response) => answer(response, 200, OBJECT));
    await api.client({ kubeConfig: kubeConfigOf(`${api.url}/k8s/clusters/c-1/`) }).read(REF);
    expect(api.asked[0]?.path).toBe('/k8s/clusters/c-1/apis/test.example/v1/namespaces/default/things/a');
  });

  it('creates and replaces with JSON', async () => {
    for (let time = 0; time < 2; time++) api.script('other', (response) => answer(response, 201, OBJECT));
    await api.client().create(THINGS, { metadata: { name: 'a' } }, 'default');
    await api.client().replace(REF, OBJECT);
    expect(api.asked.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
      ['POST', '/apis/test.example/v1/namespaces/default/things', { metadata: { name: 'a' } }],
      ['PUT', '/apis/test.example/v1/namespaces/default/things/a', OBJECT],
    ]);
  });

  it('authenticates with name and password', async () => {
    api.script('other', (response) => answer(response, 200, OBJECT));
    const user = { token: undefined, username: 'me', password: 'pass' };
    await api.client({ kubeConfig: kubeConfigOf(api.url, user) }).read(REF);
    expect(api.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:pass').toString('base64')}`);
  });

  it('is observed with its status, or as an error', async () => {
    const seen: unknown[] = [];
    const observer = { requested: ({ seconds: _, ...request }: { seconds: number }) => seen.push(request) };
    const client = api.client({ observer });
    const { host } = new URL(api.url);
    await expect(client.read(REF)).rejects.toMatchObject({ code: 'missing' });
    api.script('other', (response) => response.destroy());
    await expect(client.read(REF)).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toEqual([
      { method: 'GET', host, status: 404 },
      { method: 'GET', host, status: 'error' },
    ]);
  });
});

describe('a failure is told by its code:', () => {
  const cases: [number, string, KubeError['code']][] = [
    [400, 'BadRequest', 'invalid'],
    [401, 'Unauthorized', 'unauthorized'],
    [403, 'Forbidden', 'forbidden'],
    [404, 'NotFound', 'missing'],
    [409, 'AlreadyExists', 'conflict'],
    [409, 'Conflict', 'conflict'],
    [410, 'Expired', 'expired'],
    [413, 'RequestEntityTooLarge', 'invalid'],
    [422, 'Invalid', 'invalid'],
    [429, 'TooManyRequests', 'unavailable'],
    [500, 'InternalError', 'unavailable'],
    [500, 'Expired', 'expired'],
    [504, 'Timeout', 'unavailable'],
    [302, 'Found', 'unavailable'],
  ];
  for (const [code, reason, expected] of cases) {
    it(`${code} ${reason} is ${expected}`, async () => {
      api.script('other', fail(code, reason, 'because'));
      await expect(api.client().read(REF)).rejects.toMatchObject({
        code: expected,
        status: code,
        message: 'GET /apis/test.example/v1/namespaces/default/things/a: because',
      });
    });
  }

  it('how long to wait is taken from the body or the header', async () => {
    const client = api.client();
    api.script('other', fail(429, 'TooManyRequests', 'slow down', {}, { 'retry-after': '3' }));
    await expect(client.read(REF)).rejects.toMatchObject({ retryAfterMs: 3000 });
    api.script('other', fail(500, 'ServerTimeout', 'later', { details: { retryAfterSeconds: 2 } }));
    await expect(client.read(REF)).rejects.toMatchObject({ retryAfterMs: 2000 });
    api.script('other', fail(500, 'InternalError'));
    await expect(client.read(REF)).rejects.toMatchObject({ retryAfterMs: undefined });
  });

  it('an answer that cannot be read is unavailable', async () => {
    const client = api.client();
    for (const body of ['<html>', '', 'null', '{"metadata":{}}', '{"kind":"Thing"']) {
      api.script('other', (response) => answer(response, 200, body));
      await expect(client.read(REF)).rejects.toMatchObject({ code: 'unavailable' });
    }
    for (const body of ['{"items":[]}', '{"metadata":{"resourceVersion":"1"},"items":[{}]}']) {
      api.script('list', (response) => answer(response, 200, body));
      await expect(client.list(THINGS, {})).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  it('a connection that breaks in the middle of an answer is unavailable', async () => {
    api.script('other', (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setImmediate(() => response.destroy());
    });
    await expect(api.client().read(REF)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('a server that does not answer, or stops in the middle, is unavailable after the time limit', async () => {
    const client = api.client({ timeoutMs: 50 });
    api.script('other', () => undefined);
    await expect(client.read(REF)).rejects.toMatchObject({ code: 'unavailable', message: /within 50 ms/u });
    api.script('other', (response) => void response.writeHead(200).write('{'));
    await expect(client.read(REF)).rejects.toMatchObject({ code: 'unavailable', message: /within 50 ms/u });
  });

  it('nobody listening is unavailable', async () => {
    const client = api.client();
    await api.close();
    await expect(client.read(REF)).rejects.toMatchObject({ code: 'unavailable', message: /ECONNREFUSED/u });
    api = await new FakeKubeApi().listen();
  });

  it('a plugin that fails is unauthorized, one that hangs is unavailable', async () => {
    const plugin = (command: string, ...args: string[]) => ({ token: undefined, exec: { command, args } });
    const failing = api.client({ kubeConfig: kubeConfigOf(api.url, plugin('no-such-plugin-here')) });
    await expect(failing.read(REF)).rejects.toMatchObject({ code: 'unauthorized' });
    const hanging = kubeConfigOf(api.url, plugin(process.execPath, '-e', 'setTimeout(() => {}, 300)'));
    await expect(api.client({ kubeConfig: hanging, timeoutMs: 50 }).read(REF)).rejects.toMatchObject({
      code: 'unavailable',
    });
    await eventually(async () => expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap'));
  });
});

describe('the fence', () => {
  it('is asked before every write, never before a read', async () => {
    let asked = 0;
    const client = api.client({
      beforeWrite: () => {
        asked += 1;
        return true;
      },
    });
    api.script('other', (response) => answer(response, 200, OBJECT));
    await client.read(REF);
    expect(asked).toBe(0);
    api.script('other', (response) => answer(response, 200, OBJECT));
    await client.patch(REF, []);
    expect(asked).toBe(1);
  });

  it('keeps a write from being sent', async () => {
    const client = api.client({ beforeWrite: () => false });
    await expect(client.patch(REF, [])).rejects.toMatchObject({ code: 'fenced' });
    await expect(client.create(THINGS, {}, 'default')).rejects.toMatchObject({ code: 'fenced' });
    await expect(client.replace(REF, {})).rejects.toMatchObject({ code: 'fenced' });
    expect(api.asked).toEqual([]);
    api.script('other', (response) => answer(response, 200, OBJECT));
    expect(await client.read(REF)).toEqual(OBJECT);
  });

  it('is asked after the authentication and after the connection, however long they take', async () => {
    let valid = true;
    const exec = { command: process.execPath, args: ['-e', 'setTimeout(() => console.log(`{"status":{}}`), 200)'] };
    const kubeConfig = kubeConfigOf(api.url, { token: undefined, exec });
    const writing = api.client({ kubeConfig, beforeWrite: () => valid }).patch(REF, []);
    valid = false;
    await expect(writing).rejects.toMatchObject({ code: 'fenced' });
    expect(api.asked).toEqual([]);
  });
});

describe('a watch', () => {
  const query = (more: Partial<WatchQuery> = {}): WatchQuery => ({
    resourceVersion: '1',
    timeoutSeconds: 290,
    idleMs: 10_000,
    ...more,
  });

  function follow(more: Partial<WatchQuery> = {}, client = api.client()) {
    const events: WatchEvent[] = [];
    const ending = new AbortController();
    const ended = (async () => {
      for await (const event of client.watch(THINGS, undefined, query(more), ending.signal)) events.push(event);
    })();
    ended.catch(() => undefined);
    return { events, ended, stop: () => ending.abort() };
  }

  const begun = () =>
    eventually(async () => {
      expect(api.watching).toBe(1);
    });

  it('asks for bookmarks, from a resourceVersion, for a time', async () => {
    const { stop, ended } = follow();
    await begun();
    expect(Object.fromEntries(api.asked[0]?.query ?? [])).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '1',
      timeoutSeconds: '290',
    });
    stop();
    await ended;
  });

  it('tells when the server has begun to answer', async () => {
    let opened = 0;
    const { stop, ended } = follow({ opened: () => opened++ });
    await eventually(async () => expect(opened).toBe(1));
    stop();
    await ended;
  });

  it('brings events whose bytes are cut anywhere', async () => {
    const { events, ended } = follow();
    await begun();
    const object = { ...OBJECT, value: 'Größe 🦆 日本' };
    for (const byte of Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`)) {
      api.write(Uint8Array.of(byte));
      await nextTurn();
    }
    api.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n${JSON.stringify({ type: 'DELETED', object })}\n`);
    api.end();
    await ended;
    expect(events).toEqual(['ADDED', 'MODIFIED', 'DELETED'].map((type) => ({ type, object })));
  });

  it('returns when the server ends it', async () => {
    const { events, ended } = follow();
    await begun();
    api.bookmark();
    api.end();
    await ended;
    expect(events).toHaveLength(1);
  });

  it('returns at the signal, and the connection closes', async () => {
    const { ended, stop } = follow();
    await begun();
    stop();
    await ended;
    await eventually(async () => expect(api.watching).toBe(0));
  });

  it('lets the connection go when whoever reads stops in the middle', async () => {
    const opened = () => api.bookmark();
    const watch = api.client().watch(THINGS, undefined, query({ opened }), new AbortController().signal);
    for await (const _ of watch) break;
    await eventually(async () => expect(api.watching).toBe(0));
  });

  const broken: [string, () => void, KubeError['code']][] = [
    ['a line that is no JSON', () => api.write('{"type":\n'), 'unavailable'],
    ['an empty line', () => api.write('\n'), 'unavailable'],
    ['bytes that are no UTF-8', () => api.write(Uint8Array.of(0x22, 0xff, 0x22, 0x0a)), 'unavailable'],
    ['an event of an unknown kind', () => api.send({ type: 'MOVED', object: OBJECT }), 'unavailable'],
    ['an event without an object', () => api.send({ type: 'ADDED' }), 'unavailable'],
    ['a bookmark without a resourceVersion', () => api.send({ type: 'BOOKMARK', object: {} }), 'unavailable'],
    ['an end inside a line', () => api.end('{"type":"ADD'), 'unavailable'],
    ['a reset', () => api.cut(), 'unavailable'],
    ['an ERROR event of 410', () => api.send({ type: 'ERROR', object: status(410, 'Expired', 'old') }), 'expired'],
    [
      'an ERROR event of 500',
      () => api.send({ type: 'ERROR', object: status(500, 'InternalError', '') }),
      'unavailable',
    ],
  ];
  for (const [what, make, code] of broken) {
    it(`fails after ${what}, and what came before is told`, async () => {
      const { events, ended } = follow();
      await begun();
      api.bookmark();
      await eventually(async () => expect(events).toHaveLength(1));
      make();
      await expect(ended).rejects.toMatchObject({ code });
    });
  }

  it('fails with the code of an answer that is no stream', async () => {
    api.script('watch', fail(410, 'Expired'));
    await expect(follow().ended).rejects.toMatchObject({ code: 'expired' });
    api.script('watch', fail(429, 'TooManyRequests', 'slow', {}, { 'retry-after': '1' }));
    await expect(follow().ended).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1000 });
  });

  it('fails when nothing comes for longer than its idle time, and not before', async () => {
    const clock = new TestClock();
    let opened = 0;
    const { events, ended } = follow({ idleMs: 1000, opened: () => opened++ }, api.client({ clock }));
    await eventually(async () => expect(opened).toBe(1));
    for (let time = 1; time < 4; time++) {
      await clock.advance(999);
      api.bookmark();
      await eventually(async () => expect(events).toHaveLength(time));
    }
    await clock.advance(999);
    expect(api.watching).toBe(1);
    await clock.advance(1);
    await expect(ended).rejects.toMatchObject({ code: 'unavailable', message: /within 1000 ms/u });
    await eventually(async () => expect(api.watching).toBe(0));
  });
});
