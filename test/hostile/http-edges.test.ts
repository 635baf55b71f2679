import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createOperatorServer, type OperatorServer } from '../../operator/operator-server.ts';
import { Api, entityPath } from '../harness/api.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { startTestFrontend } from '../harness/frontend.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { type RawAnswer, RawConnection, said } from '../harness/raw-http.ts';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,edge,PROD)';

let deployment: Deployment;
let proplane: ProplaneProcess;
let operator: OperatorServer;
beforeAll(async () => {
  deployment = await embeddedDeployment();
  const environment = { ALLOWED_HOSTS: 'proplane.example, PROPLANE.example.org:8443', REQUEST_TIMEOUT_S: '2' };
  proplane = await ProplaneProcess.start({ deployment, environment });
  const address = { host: '127.0.0.1', port: 0, allowedHosts: [] };
  operator = await createOperatorServer({
    ...address,
    registry: new Registry(),
    isAlive: () => true,
    isReady: () => true,
  });
});
afterAll(async () => {
  await operator?.stop();
  await proplane?.kill();
  await deployment?.remove();
});

const SERVERS = ['API server', 'frontend', 'operator'] as const;
const url = (server: (typeof SERVERS)[number]) =>
  ({ 'API server': proplane.url, frontend: proplane.frontendUrl, operator: operator.url })[server];

const head = (line: string, ...headers: string[]) => [`${line}`, 'Host: localhost', ...headers, '', ''].join('\r\n');

/** The one shape, whoever says it. */
function expectError(answer: RawAnswer, status: number): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([
    status,
    expect.stringMatching(/^application\/json/u),
  ]);
  expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), message: expect.any(String) });
  expect(answer.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
}

describe.each(SERVERS)('%s: what is wrong is told in one shape', (server) => {
  it.each([
    [400, 'no HTTP', 'nonsense\r\n\r\n'],
    [400, 'a header without a colon', head('GET /health HTTP/1.1', 'nonsense')],
    [400, 'no host', 'GET /health HTTP/1.1\r\n\r\n'],
    [400, 'two lengths', head('POST /health HTTP/1.1', 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    [400, 'a path that cannot be decoded', head('GET /%zz HTTP/1.1')],
    [404, 'a path that there is not', head('GET /no/such/path HTTP/1.1')],
    [405, 'a method that a path does not have', head('DELETE /health HTTP/1.1')],
    [414, 'a path of 120,000 characters', head(`GET /${'x'.repeat(120_000)} HTTP/1.1`)],
    [417, 'an expectation that nobody meets', head('GET /health HTTP/1.1', 'Expect: the-unexpected')],
    [431, 'headers of 200,000 characters', head('GET /health HTTP/1.1', `X-Long: ${'x'.repeat(200_000)}`)],
  ])('%d: %s', async (status, _what, request) => {
    expectError(await said(url(server), request), status);
  });
});

it('408: a request of which the rest never comes', async () => {
  const connection = new RawConnection(proplane.url);
  connection.send('GET /health HTTP/1.1\r\nHost: loc');
  expectError(await connection.answer(), 408);
  connection.close();
});

describe.each(['API server', 'frontend'] as const)('%s: a body', (server) => {
  const path = `${entityPath('v3', DATASET, 'status')}`;

  it('413: of more than 16 MiB, told before it is sent', async () => {
    const length = 17 * 1024 * 1024;
    const headers = ['Content-Type: application/json', `Content-Length: ${length}`];
    expectError(await said(url(server), head(`POST ${path} HTTP/1.1`, ...headers)), 413);
  });

  it('413: of more than 16 MiB in chunks, of which nobody said how many come', async () => {
    const connection = new RawConnection(url(server));
    connection.send(head(`POST ${path} HTTP/1.1`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'));
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    for (let sent = 0; sent < 17; sent++) connection.send(chunk);
    expectError(await connection.answer(), 413);
    connection.close();
  });

  it('415: of a type that is not read', async () => {
    const headers = ['Content-Type: text/plain', 'Content-Length: 2'];
    expectError(await said(url(server), `${head(`POST ${path} HTTP/1.1`, ...headers)}{}`), 415);
  });

  it('400: in chunks that are none', async () => {
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    expectError(await said(url(server), `${head(`POST ${path} HTTP/1.1`, ...headers)}zz\r\n`), 400);
  });

  it('waits for the word to go on when the client asks for it, as curl does with long ones', async () => {
    const body = JSON.stringify({ description: 'x'.repeat(1_100_000) });
    const connection = new RawConnection(url(server));
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue'];
    connection.send(head(`POST ${entityPath('v3', DATASET, 'datasetProperties')} HTTP/1.1`, ...headers));
    expect((await connection.answer()).status).toBe(100);
    connection.send(body);
    const { status, body: answered } = await connection.answer();
    expect([status, JSON.parse(answered).urn]).toEqual([200, DATASET]);
    connection.close();
  });
});

describe.each(['API server', 'frontend'] as const)('%s: a connection', (server) => {
  const path = '/openapi/v3/entity/dataset?count=0';

  it('is kept for the next request, also when the client says for how long', async () => {
    const connection = new RawConnection(url(server));
    const ask = head(`GET ${path} HTTP/1.1`, 'Connection: keep-alive', 'Keep-Alive: timeout=5, max=100');
    for (let time = 0; time < 3; time++) {
      connection.send(ask);
      expect((await connection.answer()).status).toBe(200);
    }
    connection.close();
  });

  it('is closed when the client says so', async () => {
    const connection = new RawConnection(url(server));
    connection.send(head(`GET ${path} HTTP/1.1`, 'Connection: close'));
    const { status, headers } = await connection.answer();
    expect([status, headers.connection]).toEqual([200, 'close']);
    expect(await connection.closed()).toBe('');
  });

  it('is closed after a request of HTTP/1.0, which knows no chunks and no hosts', async () => {
    const connection = new RawConnection(url(server));
    connection.send(`GET ${path} HTTP/1.0\r\n\r\n`);
    const { status, headers, body } = await connection.answer();
    expect([status, headers['transfer-encoding'], JSON.parse(body).entities]).toEqual([200, undefined, []]);
    expect(await connection.closed()).toBe('');
  });

  it('carries what a client says of other protocols no further', async () => {
    const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    expect((await said(url(server), head(`GET ${path} HTTP/1.1`, ...upgrade))).status).toBe(200);
  });
});

describe.each([
  ['API server', ''],
  ['API server', '/gms'],
  ['frontend', ''],
  ['frontend', '/api/gms'],
] as const)('%s: a URN below %s/openapi', (server, prefix) => {
  it.each([
    'a/../b',
    '/..',
    '../..',
    '..',
    '.',
    'a/./b',
    'a//b',
    '/',
    '%2F..',
    '%2e%2e',
    'a%2F%2e%2e%2Fb',
    '..\\..',
    'a?b#c',
    'x;y',
  ])('"%s" goes through as it is', async (name) => {
    const urn = `urn:li:dataset:(urn:li:dataPlatform:s3,${name},PROD)`;
    const path = `${prefix}${entityPath('v3', urn, 'status')}`;
    const body = '{"removed":false}';
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const written = await said(url(server), `${head(`POST ${path} HTTP/1.1`, ...headers)}${body}`);
    expect([written.status, JSON.parse(written.body)]).toEqual([200, { urn, status: { value: { removed: false } } }]);
    const read = await said(url(server), head(`GET ${path} HTTP/1.1`));
    expect(JSON.parse(read.body).urn).toBe(urn);
  });

  it('does not lead to another path', async () => {
    for (const path of [
      '/openapi/../health',
      '/openapi/%2e%2e/health',
      '/openapi/..%2fhealth',
      '/openapi//../health',
    ]) {
      expect((await said(url(server), head(`GET ${prefix}${path} HTTP/1.1`))).status).toBe(404);
    }
  });
});

describe('a request for a head', () => {
  it.each([
    ['API server', '/health'],
    ['API server', '/ready'],
    ['API server', '/gms/health'],
    ['frontend', '/health'],
    ['frontend', '/api/gms/ready'],
    ['operator', '/health'],
    ['operator', '/ready'],
  ] as const)('%s %s is answered without a body', async (server, path) => {
    const connection = new RawConnection(url(server));
    connection.send(head(`HEAD ${path} HTTP/1.1`, 'Connection: close'));
    expect((await connection.answer({ toHead: true })).status).toBe(200);
    expect(await connection.closed()).toBe('');
  });

  it('elsewhere names what there is', async () => {
    const { status, headers } = await said(proplane.url, head('HEAD /openapi/v3/entity/dataset HTTP/1.1'));
    expect([status, headers.allow]).toEqual([405, 'GET, POST, PATCH']);
  });
});

describe('a page', () => {
  it('runs nothing but its own scripts, and stands in no frame', async () => {
    for (const base of [proplane.url, proplane.frontendUrl]) {
      const { status, headers } = await new Api(base).get('/openapi/ui/');
      const policy = headers.get('content-security-policy') ?? '';
      expect([status, policy.includes("default-src 'none'"), policy.includes("frame-ancestors 'none'")]).toEqual([
        200,
        true,
        true,
      ]);
      expect(/script-src ([^;]*)/u.exec(policy)?.[1]).toBe("'self'");
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });
});

describe.each(SERVERS)('%s on a loopback address', (server) => {
  const ask = (host: string) => said(url(server), `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

  it.each(['localhost', 'LOCALHOST:1', 'localhost.', '127.0.0.1:8080', '127.0.0.53', '[::1]', '[::1]:9002'])(
    'answers to %s',
    async (host) => {
      expect((await ask(host)).status).toBe(200);
    },
  );

  it.each([
    'attacker.example',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'attacker.example:8080',
    'user@localhost',
    'localhost/x',
    '192.0.2.1',
    '[::2]',
    '',
  ])('does not answer to "%s", whose name may lead here by the choice of somebody else', async (host) => {
    const answer = await ask(host);
    expectError(answer, 421);
    expect(JSON.parse(answer.body).message).toContain('ALLOWED_HOSTS');
  });
});

describe.each(['API server', 'frontend'] as const)('%s', (server) => {
  it('answers to the names that it is told', async () => {
    for (const host of ['proplane.example', 'Proplane.Example:80', 'proplane.example.org']) {
      expect((await said(url(server), `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status).toBe(200);
    }
  });

  it('says nothing to scripts of other origins', async () => {
    const { headers } = await said(
      url(server),
      head(
        'OPTIONS /openapi/v3/entity/dataset HTTP/1.1',
        'Origin: https://attacker.example',
        'Access-Control-Request-Method: POST',
      ),
    );
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['Sec-Fetch-Site: cross-site', 403],
    ['Sec-Fetch-Site: same-site', 403],
    ['Origin: https://attacker.example', 403],
    ['Origin: http://localhost:1', 403],
    ['Origin: null', 403],
    ['Sec-Fetch-Site: same-origin', 200],
    ['Sec-Fetch-Site: none', 200],
    ['Origin: http://localhost', 200],
  ])('takes a change by a browser only from its own pages: %s', async (header, status) => {
    const body = '{"removed":false}';
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`, header];
    const path = entityPath('v3', DATASET, 'status');
    const answer = await said(url(server), `${head(`POST ${path} HTTP/1.1`, ...headers)}${body}`);
    if (status === 403) expectError(answer, 403);
    else expect(answer.status).toBe(200);
    const reading = await said(url(server), head(`GET ${entityPath('v3', DATASET)} HTTP/1.1`, header));
    expect(reading.status).toBe(200);
  });
});

describe('the frontend of a server that is away', () => {
  it('says so in the same shape', async () => {
    const frontend = await startTestFrontend({ PROPLANE_HOST: 'http://127.0.0.1:1' });
    for (const request of [head('GET /api/gms/health HTTP/1.1'), head('DELETE /openapi/v3/x HTTP/1.1')]) {
      const answer = await said(frontend.url, request);
      expectError(answer, 503);
      expect(answer.headers['retry-after']).toBe('1');
    }
    await frontend.stop();
  });
});
