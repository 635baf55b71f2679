import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningFrontend } from '../../frontend/server.ts';
import { type Answer, Api } from '../harness/api.ts';
import { startTestFrontend } from '../harness/frontend.ts';
import { RawConnection, said } from '../harness/raw-http.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const INDEX = '<!doctype html><title>Proplane</title>';
const SCRIPT = 'console.log("a chunk");';
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let frontend: RunningFrontend;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  const pages = folder.path;
  mkdirSync(join(pages, 'dist/assets'), { recursive: true });
  const write = (path: string, content: string | Buffer) => writeFileSync(join(pages, path), content);
  write('secret.txt', 'not served');
  write('dist/index.html', INDEX);
  write('dist/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('dist/.hidden', 'not served');
  write('dist/assets/index-a1b2c3.js', SCRIPT);
  write('dist/assets/index-a1b2c3.js.br', brotliCompressSync(SCRIPT));
  write('dist/assets/index-a1b2c3.js.gz', gzipSync(SCRIPT));
  write('dist/assets/index-d4e5f6.css', 'body{}');
  write('dist/assets/.hidden', 'not served');
  // No API server: what is answered is answered here.
  frontend = await startTestFrontend({ PROPLANE_HOST: 'http://127.0.0.1:1' }, { pages: join(pages, 'dist') });
});
afterAll(async () => {
  await frontend?.stop();
  await folder?.remove();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Api(frontend.url).send('GET', path, undefined, headers);

describe('a page', () => {
  it.each([
    '/',
    '/?a=b',
    '/login',
    '/properties/com.example.a',
    '/datasets/urn%3Ali%3Adataset%3A(a,b/../c,PROD)',
    '/auth/x',
  ])('is the same one at every address that a person can go to: %s', async (path) => {
    const { status, headers, body } = await get(path, PAGE);
    expect([status, headers.get('content-type'), body]).toEqual([200, 'text/html; charset=utf-8', INDEX]);
  });

  it('runs scripts of this server alone, and stands in no frame', async () => {
    const { headers } = await get('/', PAGE);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is asked for anew each time, so that a new release is seen at once', async () => {
    const { headers } = await get('/', PAGE);
    expect(headers.get('cache-control')).toBe('no-cache');
    const known = `Accept: text/html\r\nIf-None-Match: ${headers.get('etag')}`;
    const connection = new RawConnection(frontend.url);
    connection.send(`GET /jobs HTTP/1.1\r\nHost: localhost\r\n${known}\r\n\r\n`);
    expect((await connection.answer({ toHead: true })).status).toBe(304);
    connection.close();
  });

  it('is at the start also for what does not ask for a page, and for a head', async () => {
    expect((await get('/')).body).toBe(INDEX);
    const answer = await said(frontend.url, 'HEAD /jobs HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n');
    expect([answer.status, answer.headers['content-length']]).toEqual([200, String(INDEX.length)]);
  });

  it.each(['/api', '/api/nothing', '/API/x', '/openapi%2fx', '//api/x', '/assets/none.js', '/assets'])(
    'is none where an interface or a file is meant: %s',
    async (path) => {
      const { status, body } = await get(path, PAGE);
      expect([status, body]).toEqual([404, { error: 'Not Found', message: expect.any(String) }]);
    },
  );

  it('is none for what asks for no page, or wants to change something', async () => {
    expect((await get('/jobs')).status).toBe(404);
    expect((await get('/jobs', { accept: 'application/json' })).status).toBe(404);
    expect((await new Api(frontend.url).send('POST', '/jobs', {}, PAGE)).status).toBe(404);
  });
});

describe('a file of the pages', () => {
  it('is kept for ever, because its name has a hash', async () => {
    const { status, headers, body } = await get('/assets/index-d4e5f6.css');
    expect([status, body, headers.get('content-type')]).toEqual([200, 'body{}', 'text/css; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is sent compressed when it is there so', async () => {
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { headers, body } = await get('/assets/index-a1b2c3.js', { 'accept-encoding': accepted });
      expect([headers.get('content-encoding'), body]).toEqual([encoding, SCRIPT]);
      expect(headers.get('content-type')).toMatch(/^(?:text|application)\/javascript/u);
      expect(headers.get('vary')).toBe('accept-encoding');
    }
    expect((await get('/assets/index-d4e5f6.css', { 'accept-encoding': 'br' })).body).toBe('body{}');
  });

  it('can lie beside the page, as an icon does', async () => {
    const { status, headers } = await get('/favicon.svg');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets//etc/passwd',
    '/assets/%00',
    '/assets/.hidden',
    '/.hidden',
    '/../secret.txt',
    '/assets/',
    '/assets/index-a1b2c3.js/',
  ])('is not found outside, nor hidden: %s', async (path) => {
    const answer = await said(frontend.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect([400, 403, 404]).toContain(answer.status);
    expect(answer.body).not.toContain('not served');
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), message: expect.any(String) });
  });
});

describe('a frontend whose pages are not built', () => {
  it('says how to build them, and answers everything else', async () => {
    const bare = await startTestFrontend({ PROPLANE_HOST: 'http://127.0.0.1:1' });
    const api = new Api(bare.url);
    const { status, body, headers } = await api.send('GET', '/', undefined, PAGE);
    expect([status, body.includes('npm run build-pages')]).toEqual([503, true]);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect((await api.get('/assets/x.js')).status).toBe(404);
    expect((await api.get('/health')).body).toEqual({ status: 'ok' });
    const config = await api.get('/config.json');
    expect(config.body).toEqual({ authEnabled: false, oidc: null, version: expect.any(String) });
    expect(config.headers.get('cache-control')).toBe('no-store');
    await bare.stop();
  });
});
