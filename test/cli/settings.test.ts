import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Commands } from '../harness/commands.ts';

let commands: Commands;
let config: string;
/** Notes who asks; wants the token `right`, or any when it is `open`. */
let server: Server;
let host: string;
let asked: IncomingMessage[] = [];
beforeAll(async () => {
  commands = await Commands.open();
  config = join(commands.folder, '.proplane/config.yaml');
  server = createServer((request, response) => {
    asked.push(request);
    const isWelcome = request.headers.authorization === 'Bearer right' || request.url === '/ready';
    response.writeHead(isWelcome ? 200 : 401, { 'content-type': 'application/json' });
    const answer = { ready: true, jobs: [], totalCount: 0 };
    response.end(JSON.stringify(isWelcome ? answer : { error: 'Unauthorized', message: 'no valid token' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  asked = [];
  await rm(join(commands.folder, '.proplane'), { recursive: true, force: true });
});
afterAll(async () => {
  server.close();
  await commands.close();
});

async function write(text: string): Promise<void> {
  await mkdir(join(commands.folder, '.proplane'), { recursive: true });
  await writeFile(config, text);
}

const NOWHERE = 'http://127.0.0.1:9';
const run = (environment: Record<string, string>, ...options: string[]) =>
  commands.with({ PROPLANE_HOST: '', ...environment }, ...options);

describe('the address and the token', () => {
  it('come from the option, else from the environment, else from the file, each by itself', async () => {
    await write(`host: ${NOWHERE}\ntoken: right\n`);
    expect((await run({ PROPLANE_HOST: host }, 'jobs')).code).toBe(0);
    expect((await run({ PROPLANE_HOST: NOWHERE }, 'jobs', '--host', host)).code).toBe(0);
    await write(`host: ${host}\ntoken: wrong\n`);
    expect((await run({ PROPLANE_TOKEN: 'right' }, 'jobs')).code).toBe(0);
    expect((await run({ PROPLANE_TOKEN: 'wrong' }, '--token', 'right', 'jobs')).code).toBe(0);
    expect((await run({}, 'jobs')).code).toBe(1);
    expect((await run({}, 'jobs', '--token', '')).code).toBe(1);
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      ...['Bearer right', 'Bearer right', 'Bearer right', 'Bearer right', 'Bearer wrong', undefined],
    ]);
  });

  it('may have a prefix and slashes at the end', async () => {
    for (const address of [`${commands.host}/gms`, `${commands.host}/gms/`, `${commands.host}//`])
      expect(await run({}, 'jobs', '--host', address)).toMatchObject({ code: 0, stderr: '' });
  });

  it('are not those of a catalogue without anything when the path is another one', async () => {
    for (const options of [['jobs'], ['delete', '--hard', '--urn', 'urn:li:structuredProperty:a']]) {
      const { code, stderr } = await run({}, ...options, '--host', `${commands.host}/nowhere`);
      expect([code, stderr]).toEqual([1, expect.stringContaining('Behind a frontend it ends in /api/gms')]);
    }
  });

  it('that are none are told by where they are from', async () => {
    const wrong = [
      [{}, ['--host', 'localhost:8080'], '--host'],
      [{ PROPLANE_HOST: 'ftp://x' }, [], 'PROPLANE_HOST'],
    ] as const;
    for (const [environment, options, place] of wrong) {
      const { code, stderr } = await run(environment, 'jobs', ...options);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^${place}: ".*" is no address of a server`, 'u')),
      ]);
    }
    await write('host: nonsense\n');
    expect((await run({}, 'jobs')).stderr).toContain(`${config}: "nonsense" is no address`);
  });

  it('are refused without being shown when they could not be sent, or hold a password', async () => {
    await write(`host: ${host}\ntoken: "se cret"\n`);
    const wrong = [
      [{ PROPLANE_TOKEN: 'se\ncret' }, [], 'PROPLANE_TOKEN'],
      [{}, ['--token', 'se\u00e9cret'], '--token'],
      [{}, [], config],
      [{ PROPLANE_TOKEN: 'x' }, ['--host', 'http://user:cret@127.0.0.1:9'], '--host'],
      [{ PROPLANE_TOKEN: 'x', PROPLANE_HOST: 'http://user:cr/et@127.0.0.1:9' }, [], 'PROPLANE_HOST'],
    ] as const;
    for (const [environment, options, place] of wrong) {
      const { code, stdout, stderr } = await run(environment, 'jobs', ...options);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^.*: the (?:token|address) .*\n$/u)]);
      expect(stderr.startsWith(`${place}: `)).toBe(true);
      expect(stderr).not.toMatch(/cret|user|cr\/et/u);
    }
    expect((await run({}, 'init', '--host', host, '--token', 'se cret')).stderr).not.toContain('cret');
    expect(asked).toEqual([]);
  });

  it('are not guessed from a file that is not right: it is told by line', async () => {
    await write(`host: ${host}\nhosts: x\ntoken: [a]\n`);
    expect(await run({}, 'jobs')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/config\.yaml:3:1: token: .*\n.*config\.yaml:2:1: unknown field "hosts"\n$/u),
    });
    await write('host: "x\n');
    expect((await run({}, 'jobs')).stderr).toMatch(/config\.yaml:2:1: /u);
    expect(asked).toEqual([]);
  });
});

describe('what the server says about the token', () => {
  it('is told with what to do', async () => {
    const { code, stderr } = await run({}, 'properties', 'list', '--host', host);
    expect([code, stderr]).toEqual([
      1,
      'The server wants a token: no valid token. Give one with --token, PROPLANE_TOKEN or `proplane init`.\n',
    ]);
  });
});

describe('proplane init', () => {
  const init = (...options: string[]) => run({}, 'init', ...options);

  it('writes a file for its owner only, tries the server, and never shows the token', async () => {
    const { code, stdout, stderr } = await init('--host', host, '--token', 'right');
    expect([code, stdout, stderr]).toEqual([
      0,
      `Wrote ${config}: ${host}, with a token\nProplane answers at ${host}\n`,
      '',
    ]);
    expect(await readFile(config, 'utf8')).toBe(`host: ${host}\ntoken: right\n`);
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    expect((await stat(join(commands.folder, '.proplane'))).mode & 0o777).toBe(0o700);
    expect((await run({}, 'jobs')).code).toBe(0);
  });

  it('prints one JSON document when it is asked to', async () => {
    const { code, stdout } = await init('--host', host, '--token', 'right', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { file: config, host, hasToken: true, answers: true }]);
    const away = await init('--host', NOWHERE, '--token', '', '--json');
    expect(JSON.parse(away.stdout)).toMatchObject({
      ...{ hasToken: false, answers: false },
      problem: expect.stringContaining('No answer'),
    });
  });

  it('replaces a file that others can read by one that they cannot, and one that is not right', async () => {
    await write('nonsense: [');
    await chmod(config, 0o644);
    const { code, stdout } = await init('--host', commands.host, '--token', '');
    expect([code, stdout]).toEqual([0, expect.stringContaining('without a token\nProplane answers at ')]);
    expect(await readFile(config, 'utf8')).toBe(`host: ${commands.host}\n`);
    expect((await stat(config)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['does not answer', () => NOWHERE, 'x', 'But: No answer from http://127.0.0.1:9 ('],
    ['does not take the token', () => host, 'wrong', 'But: The server does not take the token: no valid token.'],
    ['is another one', () => `${commands.host}/nowhere`, '', 'answers, but not as a Proplane server does'],
  ])('writes the file also when the server %s, and says so', async (_what, address, token, message) => {
    const { code, stderr } = await init('--host', address(), '--token', token);
    expect([code, stderr]).toEqual([0, expect.stringContaining(message)]);
    expect(await readFile(config, 'utf8')).toContain(`host: ${address()}\n`);
  });

  it('names the options that are missing where nobody can be asked, and says when the environment wins', async () => {
    const { code, stderr } = await init();
    expect([code, stderr]).toEqual([1, expect.stringContaining('Give --host <url> and --token <token>')]);
    const token = await init('--host', host);
    expect([token.code, token.stderr]).toEqual([1, expect.stringContaining('Give --token <token> (or --token ""')]);
    const set = await run({ PROPLANE_HOST: NOWHERE }, 'init', '--host', host, '--token', 'right');
    expect(set.stderr).toBe('PROPLANE_HOST is set, and wins over the file\n');
  });
});
