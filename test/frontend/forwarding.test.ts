import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningFrontend } from '../../frontend/server.ts';
import { FakeAuthServer } from '../harness/fake-auth-server.ts';
import { SYSTEM_SECRET, startTestFrontend, WITH_LOG_IN } from '../harness/frontend.ts';
import { type RawAnswer, RawConnection, said } from '../harness/raw-http.ts';

let upstream: FakeAuthServer;
let frontend: RunningFrontend;
beforeAll(async () => {
  upstream = await new FakeAuthServer().listen();
  frontend = await startTestFrontend({ ...WITH_LOG_IN, PROPLANE_HOST: upstream.url });
});
afterAll(async () => {
  await frontend?.stop();
  await upstream?.close();
});
beforeEach(() => {
  upstream.seen.length = 0;
});

const SESSION = 'Cookie: PLAY_SESSION=of.ada';

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const ask = (line: string, ...headers: string[]): Promise<RawAnswer> => said(frontend.url, head(line, ...headers));
/** Name and value of each header that the API server got, as they came over the wire. */
const gotHeaders = () => {
  const { rawHeaders = [] } = upstream.seen.at(-1) ?? {};
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]] as const] : []));
};
const got = (wanted: string) => gotHeaders().flatMap(([name, value]) => (name === wanted ? [value] : []));

describe('a request that is forwarded', () => {
  it('keeps what a client says, and loses what is not its to say', async () => {
    await ask(
      'GET /api/gms/x',
      SESSION,
      'X-DataHub-Actor: urn:li:corpuser:datahub',
      'x-datahub-actor: urn:li:corpuser:__datahub_system',
      'X-Forwarded-For: 203.0.113.9',
      'X-Forwarded-Host: attacker.example',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Anything: 1',
      'Forwarded: for=203.0.113.9',
      'X-Real-IP: 203.0.113.9',
      'Proxy-Authorization: Basic x',
      'TE: trailers',
      'X-Proplane-Owner: source=mine',
      'Accept-Language: de',
    );
    expect(Object.fromEntries(gotHeaders())).toEqual({
      host: new URL(upstream.url).host,
      connection: 'keep-alive',
      authorization: 'Bearer of.ada',
      'x-forwarded-for': '127.0.0.1',
      'x-request-id': expect.any(String),
      'x-proplane-owner': 'source=mine',
      'accept-language': 'de',
    });
  });

  it('loses what the connection names, but not who asks', async () => {
    await ask(
      'GET /api/gms/x',
      'Authorization: Bearer mine',
      'X-One: 1',
      'Connection: close, Authorization, X-One',
      SESSION,
    );
    expect([got('authorization'), got('x-one')]).toEqual([['Bearer mine'], []]);
    await ask('GET /api/gms/x', SESSION, 'Connection: cookie, close');
    expect(got('authorization')).toEqual(['Bearer of.ada']);
  });

  it('says once who asks, or is not sent', async () => {
    const answer = await ask('GET /api/gms/x', 'Authorization: Bearer one', 'authorization: Bearer two');
    expect([answer.status, upstream.seen]).toEqual([400, []]);
    await ask('GET /api/gms/x', 'Authorization: Bearer mine', SESSION);
    expect(got('authorization')).toEqual(['Bearer mine']);
    await ask('GET /api/gms/x', 'Authorization:', SESSION);
    expect(got('authorization')).toEqual(['']);
  });

  it('is looked at in all cookies that a client sends', async () => {
    await ask('GET /api/gms/x', 'Cookie: a=1', SESSION, 'Cookie: b=2');
    expect([got('authorization'), got('cookie')]).toEqual([['Bearer of.ada'], []]);
    await ask('GET /api/gms/x', 'Cookie: PLAY_SESSION=of.eve', SESSION);
    expect(got('authorization')).toEqual([]);
  });

  it('gets no cookie from behind', async () => {
    expect((await ask('GET /api/gms/x', SESSION)).headers).not.toHaveProperty('set-cookie');
  });

  it('is never sent with the credentials of our own parts', async () => {
    for (const line of [
      'GET /api/gms/x',
      'POST /api/graphql',
      'GET /openapi/v3/x',
      'GET /api/gms//auth',
      'GET /auth/x',
    ]) {
      await ask(line, SESSION, 'Content-Length: 0', 'X-DataHub-Actor: urn:li:corpuser:datahub');
    }
    expect(upstream.seen.length).toBeGreaterThan(2);
    for (const { headers } of upstream.seen) expect(JSON.stringify(headers)).not.toContain(SYSTEM_SECRET);
  });
});

describe('a request that could be taken for two', () => {
  it.each([
    ['a length and chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked'], '0\r\n\r\nX'],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n'],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 44'], ''],
    ['two lengths in one', ['Content-Length: 0, 44'], ''],
    ['a length that is none', ['Content-Length: +1'], 'x'],
    ['an encoding that is chunked only at first sight', ['Transfer-Encoding: xchunked'], ''],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity'], ''],
    ['an encoding with a tab before the colon', ['Transfer-Encoding\t: chunked'], ''],
    ['an encoding with a space before the colon', ['Transfer-Encoding : chunked'], ''],
    ['a folded header', ['X-One: 1', ' Transfer-Encoding: chunked'], ''],
    ['a line that ends with a carriage return alone', ['X-One: 1\rTransfer-Encoding: chunked'], ''],
    ['a header with a NUL', ['X-One: \u0000'], ''],
    ['a chunk size that is none', ['Transfer-Encoding: chunked'], '0x5\r\nhello\r\n0\r\n\r\n'],
  ])('is refused: %s', async (_what, headers, body) => {
    const smuggled = head('GET /api/gms/smuggled', SESSION);
    const answer = await said(frontend.url, `${head('POST /api/gms/x', ...headers)}${body}${smuggled}`);
    expect(answer.status).toBe(400);
    expect(upstream.seen.filter(({ url }) => url.includes('smuggled'))).toEqual([]);
  });

  it('does not lead to a second one by a header with line ends', async () => {
    const smuggled = 'PLAY_SESSION=a%0d%0aTransfer-Encoding:%20chunked%0d%0a%0d%0aGET%20/smuggled%20HTTP/1.1';
    await ask('GET /api/gms/x', `Cookie: ${smuggled}`);
    await ask('GET /api/gms/x%0d%0aX-One:%201', SESSION);
    expect(upstream.seen.map(({ url }) => url)).toEqual(['/x', '/x%0d%0aX-One:%201']);
    expect(got('x-one')).toEqual([]);
  });

  it('is one, with a body that the API server gets whole', async () => {
    const connection = new RawConnection(frontend.url);
    const body = '{"a":"GET / HTTP/1.1\\r\\n\\r\\n"}';
    connection.send(`${head('POST /api/gms/one', `Content-Length: ${body.length}`)}${body}${head('GET /api/gms/two')}`);
    expect(JSON.parse((await connection.answer()).body).body).toBe(body);
    expect(JSON.parse((await connection.answer()).body).url).toBe('/two');
    connection.close();
    expect(upstream.seen.map(({ url }) => url)).toEqual(['/one', '/two']);
  });

  it('431 for a cookie that is longer than all headers may be', async () => {
    expect((await ask('GET /api/gms/x', `Cookie: PLAY_SESSION=${'a'.repeat(140_000)}`)).status).toBe(431);
    expect((await ask('GET /api/gms/x', `Cookie: PLAY_SESSION=${'a'.repeat(8_000)}`)).status).toBe(200);
  });
});

describe('the routes that only our own parts use', () => {
  const ROUTE = 'auth/generateSessionTokenForUser';

  it.each([
    `/api/gms/${ROUTE}`,
    `/api/gms//${ROUTE}`,
    `/api/gms/gms/${ROUTE}`,
    `/api/gms//gms//${ROUTE}`,
    `/api/gms/%67ms/${ROUTE}`,
    `/api/gms/%61uth/generateSessionTokenForUser`,
    `/api/gms/%2561uth/generateSessionTokenForUser`,
    `/api/gms/%25%36%31uth/generateSessionTokenForUser`,
    `/api/gms/AUTH/generateSessionTokenForUser`,
    `/api/gms/./${ROUTE}`,
    `/api/gms/%2e/${ROUTE}`,
    `/api/gms/x/../${ROUTE}`,
    `/api/gms/x/%2e%2e/${ROUTE}`,
    `/api/gms/x/..%2f${ROUTE}`,
    `/api/gms/x/..%5c${ROUTE}`,
    `/api/gms/x/..;/${ROUTE}`,
    `/api/gms/..;/${ROUTE}`,
    `/api/gms/../${ROUTE}`,
    `/api/gms/../../../${ROUTE}`,
    `/api/gms/../../api/gms/${ROUTE}`,
    `/api/gms/\\${ROUTE}`,
    `/api/gms/auth\\generateSessionTokenForUser`,
    `/api/gms/%5cauth%5cgenerateSessionTokenForUser`,
    `/api/gms/%2f${ROUTE}`,
    `/api/gms/%252f${ROUTE}`,
    `/api/gms/auth%2fgenerateSessionTokenForUser`,
    `/api/gms/auth;x=1/generateSessionTokenForUser`,
    `/api/gms/auth%00/generateSessionTokenForUser`,
    `/api/gms/auth%20/generateSessionTokenForUser`,
    `/api/gms/${ROUTE}/../../health`,
    `/api/gms/auth`,
    `/api/gms/auth?x=1`,
    `/api/gms/auth/endSession`,
    `/openapi/../${ROUTE}`,
    `/openapi/v3/..%2f..%2f${ROUTE}`,
    `/api/graphql/../../${ROUTE}`,
    `/api%2fgms/${ROUTE}`,
    `/api/gm%73/${ROUTE}`,
    `//api/gms/${ROUTE}`,
    `/API/GMS/${ROUTE}`,
    `http://localhost/api/gms/${ROUTE}`,
    `/${ROUTE}`,
    `/gms/${ROUTE}`,
  ])('are not reached by %s', async (path) => {
    for (const method of ['POST', 'GET', 'PUT']) {
      const answer = await ask(`${method} ${path}`, SESSION, 'Content-Length: 0', 'Accept: */*');
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(upstream.seen).toEqual([]);
  });

  it.each([
    '/api/gms/authors',
    '/api/gms/openapi/v3/entity/dataset/auth/x',
    '/api/gms/x?path=/auth/x',
    '/openapi/v3/entity/dataset/urn:li:dataset:(urn:li:dataPlatform:s3,../../auth,PROD)',
    '/api/gms/access/me',
  ])('have nothing to do with %s', async (path) => {
    expect((await ask(`GET ${path}`)).status).toBe(200);
  });

  it('take no long time to be told from a path that is all percent signs', async () => {
    for (const part of ['%25', '%2', '%', '/..', '%2e%2e%2f', ';']) {
      const path = part.repeat(Math.floor(100_000 / part.length));
      expect((await ask(`GET /api/gms/x${path}%41`)).status).toBeLessThan(500);
    }
  });
});
