import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type ObservedAnswer,
} from '../../client/http-client.ts';
import { ConflictError, FencedError } from '../../client/http-errors.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const fence = { source: 'ü & ñ', shard: '', lease: 'uid-1', created: 1_700_000_000_000, transitions: 3 };

let server: Server;
let host: string;
let answer: { status: number; body: string };
const asked: IncomingMessage[] = [];
beforeEach(async () => {
  asked.length = 0;
  answer = { status: 200, body: '{}' };
  server = createServer((request, response) => {
    asked.push(request);
    request.resume();
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const send = (options: Partial<HttpClientOptions>, request: Partial<HttpRequest> = {}) =>
  createHttpClient({ host, ...options }).send({ method: 'POST', path: '/x', ...request });

describe('a refusal', () => {
  it('has the violated rules by code, also such as this client does not know', async () => {
    const violations = [{ code: 'of-tomorrow', path: 'a', message: 'b' }];
    answer = {
      status: 400,
      body: JSON.stringify({ error: 'x', message: 'a: b', violations: [{ ...violations[0], new: 1 }] }),
    };
    await expect(send({})).rejects.toMatchObject({ code: 'rejected', message: 'a: b', violations });
  });

  it.each([
    '{"error":"x","message":"m"}',
    '{"message":"m","violations":[{"path":1}]}',
    '{"message":"m","violations":7}',
  ])('has none when the answer has none: %s', async (body) => {
    answer = { status: 400, body };
    await expect(send({})).rejects.toMatchObject({ code: 'rejected', message: 'm', violations: [] });
  });
});

describe('who asks', () => {
  const sent = () => asked.at(-1)?.headers.authorization;

  it('shows the token as it is at that moment', async () => {
    let token = 'one\n';
    const http = createHttpClient({ host, token: () => token });
    await http.send({ method: 'GET', path: '/x' });
    expect(sent()).toBe('Bearer one');
    token = 'two';
    await http.send({ method: 'GET', path: '/x' });
    expect(sent()).toBe('Bearer two');
    token = '';
    await http.send({ method: 'GET', path: '/x' });
    expect(sent()).toBeUndefined();
  });

  it('is told when the token cannot be had or sent, and nothing is asked', async () => {
    const none = () => {
      throw new Error('there is no token in /x');
    };
    const expected = { code: 'unauthorized', message: 'there is no token in /x' };
    await expect(send({ token: none })).rejects.toMatchObject(expected);
    await expect(send({ token: () => 'a b' })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(asked).toEqual([]);
  });

  it('shows what is no token as it is', async () => {
    await send({ authorization: 'Basic us:secret' });
    expect(sent()).toBe('Basic us:secret');
  });
});

describe('the client of a leader', () => {
  it('sends its fence with every write, and with nothing else', async () => {
    for (const method of ['GET', ...METHODS] as const) await send({ fence }, { method, headers: { 'x-other': 'y' } });
    const sent = asked.map(({ headers }) => headers['x-proplane-fence']);
    const text = 'source=%C3%BC+%26+%C3%B1&shard=&lease=uid-1&created=1700000000000&transitions=3';
    expect(sent).toEqual([undefined, text, text, text, text]);
    expect(asked.every(({ headers }) => headers['x-other'] === 'y')).toBe(true);
    await send({});
    expect(asked.at(-1)?.headers['x-proplane-fence']).toBeUndefined();
  });

  it('sends no fence with a POST that only reads, which nobody has to allow', async () => {
    const beforeWrite = jest.fn(() => false);
    await send({ fence, beforeWrite }, { readsOnly: true });
    expect(asked.map(({ method, headers }) => [method, headers['x-proplane-fence']])).toEqual([['POST', undefined]]);
    expect(beforeWrite).not.toHaveBeenCalled();
  });

  it('is told when another leads', async () => {
    answer = { status: 409, body: '{"error":"Fenced","message":"Another operator leads"}' };
    await expect(send({ fence })).rejects.toEqual(new FencedError('Another operator leads'));
    for (const body of ['{"error":"Conflict","message":"late"}', 'late', 'null', '"Fenced"']) {
      answer = { status: 409, body };
      await expect(send({ fence })).rejects.toBeInstanceOf(ConflictError);
    }
  });

  it('sends no write that it is told not to send, and may read', async () => {
    const beforeWrite = jest.fn(() => false);
    for (const method of METHODS) {
      await expect(send({ beforeWrite }, { method })).rejects.toMatchObject({ code: 'fenced' });
    }
    expect([asked.length, beforeWrite.mock.calls.length]).toEqual([0, METHODS.length]);
    await send({ beforeWrite }, { method: 'GET' });
    expect([asked.length, beforeWrite.mock.calls.length]).toEqual([1, METHODS.length]);
  });

  it('asks in the same turn in which a write is handed over', async () => {
    const order: string[] = [];
    const fetch = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      order.push('fetch');
      return new Response('{}');
    });
    const beforeWrite = () => {
      // Whatever is awaited after the question comes after this.
      queueMicrotask(() => order.push('next turn'));
      order.push('asked');
      return true;
    };
    await send({ beforeWrite });
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(order).toEqual(['asked', 'fetch', 'next turn']);
  });
});

describe('who observes a client', () => {
  it('hears of every answer, and of those that do not come', async () => {
    const heard: unknown[] = [];
    const observer = ({ seconds, ...answer }: ObservedAnswer) => heard.push({ ...answer, told: seconds >= 0 });
    await send({ observer });
    answer = { status: 503, body: '' };
    await expect(send({ observer }, { method: 'GET' })).rejects.toThrow();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(send({ observer }, { method: 'PUT' })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(send({ observer, beforeWrite: () => false })).rejects.toMatchObject({ code: 'fenced' });
    expect(heard).toEqual([
      { method: 'POST', status: 200, told: true },
      { method: 'GET', status: 503, told: true },
      { method: 'PUT', told: true },
    ]);
  });
});
