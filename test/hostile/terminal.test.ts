import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createProgress } from '../../cli/progress.ts';
import { SYSTEM_CLOCK } from '../../process/clock.ts';
import { Api, entityPath, eventually } from '../harness/api.ts';
import { CommandHost } from '../harness/command-host.ts';
import type { CommandRun } from '../harness/command-line.ts';
import type { Deployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** A title, a colour that we do not use, the screen cleared by one character, a turned line, an unseen one, an end. */
const EVIL = 'a\u001b]0;pwned\u0007\u001b[45mb\u009b2Jc\u202ed\re\u2028f\u007fg\u{e0041}h\u200b\u2066i';
const LINES = `${EVIL}\nUpdate succeeded for urn urn:li:dataset:none.`;
const DATASET = `urn:li:dataset:(urn:li:dataPlatform:hive,${LINES},PROD)`;
const PROPERTY = 'urn:li:structuredProperty:com.example.evil';
/** A name of a file. */
const FILE = 'evil\u001b]0;pwned\u0007\u009b2J\u202e.yaml';

let deployment: Deployment;
let proplane: ProplaneProcess;
let liar: Server;
let commands: CommandHost;
beforeAll(async () => {
  commands = new CommandHost();
  deployment = await embeddedDeployment();
  const manifests = join(deployment.folder, 'manifests');
  mkdirSync(manifests);
  const metadata = (name: string) => JSON.stringify({ name, namespace: `ns${EVIL}` });
  writeFileSync(
    join(manifests, FILE),
    `apiVersion: catalog.proplane.dev/v1alpha1\nkind: DatasetProperties\nmetadata: ${metadata('evil')}\nspec: { datasetRef: { urn: ${JSON.stringify(DATASET)} }, properties: [{ propertyRef: ${JSON.stringify(EVIL)}, values: [1] }] }\n`,
  );
  writeFileSync(join(manifests, `broken-${FILE}`), `${EVIL}: [`);
  proplane = await ProplaneProcess.start({ deployment, manifests: `${manifests}/**/*.yaml` });
  const api = new Api(proplane.url);
  const definition = {
    qualifiedName: 'com.example.evil',
    displayName: EVIL,
    description: LINES,
    valueType: 'string',
    entityTypes: ['dataset'],
    allowedValues: [{ value: { string: EVIL }, description: EVIL }],
  };
  const taken = async (answer: Promise<{ readonly status: number; readonly body: unknown }>) => {
    const { status, body } = await answer;
    expect([status < 300, body]).toEqual([true, body]);
  };
  await taken(api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), definition));
  await taken(api.post(entityPath('v3', DATASET, 'datasetProperties'), { name: EVIL, description: LINES }));
  const name = { kind: EVIL, namespace: EVIL, name: LINES };
  await taken(
    api.post('/resources/register', { source: 'evil', resources: [{ ...name, specHash: 'x', location: EVIL }] }),
  );
  await eventually(async () => {
    const { body } = await api.get('/openapi/v3/entity/dataset');
    expect(body.totalCount).toBe(1);
  });
  // Says of everything what it likes.
  const job = {
    id: EVIL,
    kind: 'cascade',
    subject: LINES,
    state: 'failed',
    pass: 1,
    created: 0,
    total: 1,
    processed: 0,
    remaining: 1,
    error: LINES,
  };
  liar = createServer((request, response) => {
    const isJobs = request.url?.startsWith('/jobs') === true;
    response.writeHead(isJobs ? 200 : 400, { 'content-type': 'application/json' });
    const refusal = { error: EVIL, message: LINES, violations: [{ code: EVIL, path: EVIL, message: LINES }] };
    response.end(JSON.stringify(!isJobs ? refusal : request.url === '/jobs' ? { jobs: [job] } : job));
  });
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  liar?.close();
  await commands?.close();
  await proplane?.kill();
  await deployment?.remove();
});

function run(
  host: string,
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandRun> {
  return commands.run({ HOME: deployment.folder, PROPLANE_HOST: host, ...environment }, options);
}

/** Nothing but line ends, tabs and what can be seen. */
function expectHarmless(text: string): void {
  expect(unseen(text)).toEqual([]);
}

function unseen(text: string): string[] {
  const found = text.match(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu) ?? [];
  return found.map((character) => `U+${character.codePointAt(0)?.toString(16)}`);
}

describe('what the command line prints', () => {
  it('is harmless', async () => {
    const lines = [
      ['dataset', 'list'],
      ['dataset', 'list', '--details'],
      ['dataset', 'list', '--json'],
      ['dataset', 'get', '--urn', DATASET],
      ['dataset', 'get', '--urn', DATASET, '--json'],
      ['dataset', 'get', '--urn', 'urn:li:dataset:\u001b]0;pwned\u0007'],
      ['properties', 'list', '--details'],
      ['properties', 'list', '--json'],
      ['properties', 'get', '--urn', PROPERTY],
      ['resources'],
      ['resources', '--json'],
      ['plan', `manifests/**`, '--against', 'manifests/none\u001b[2J'],
      ['delete', '--urn', DATASET],
      ['undelete', '--urn', DATASET],
      ['properties', 'upsert', '-f', '/no/such/\u001b]0;pwned\u0007\u009b'],
      ['\u001b]0;pwned\u0007\u009b\u202e'],
      ['jobs', '--\u001b]0;pwned\u0007\u009b\u202e'],
      ['jobs', '--state', '\u001b]0;pwned\u0007\u009b\u202e'],
      ['jobs', '--host', 'http://\u001b]0;pwned\u0007\u009b\u202e'],
    ];
    for (const options of lines) {
      const { stdout, stderr } = await run(proplane.url, options);
      expect([options, unseen(stdout), unseen(stderr)]).toEqual([options, [], []]);
      expect([options, stdout + stderr]).toEqual([options, expect.stringMatching(/\S/u)]);
      expect(stdout).not.toMatch(/^Update succeeded/mu);
    }
  });

  it('is harmless whatever the server says', async () => {
    const lines = [
      ['jobs'],
      ['jobs', 'get', 'x'],
      ['jobs', 'follow', 'x'],
      ['jobs', 'list', '--json'],
      ['dataset', 'list'],
      ['delete', '--urn', PROPERTY],
      ['system-update'],
    ];
    const environment = {
      SEARCH_INDEX_BUILDER_MAPPINGS_REINDEX: 'true',
      ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: 'true',
    };
    const { port } = liar.address() as AddressInfo;
    for (const options of lines) {
      const { stdout, stderr } = await run(`http://127.0.0.1:${port}`, options, environment);
      expect([options, unseen(stdout), unseen(stderr)]).toEqual([options, [], []]);
      expect(stdout + stderr).not.toMatch(/^Update succeeded/mu);
    }
  });

  it.each(['text', 'markdown', 'json'])('is harmless in a plan as %s', async (format) => {
    const manifests = join(deployment.folder, 'manifests', '**');
    const { stdout, stderr } = await run(proplane.url, ['plan', manifests, '--format', format]);
    expectHarmless(stdout);
    expectHarmless(stderr);
    expect(stdout).toContain('evil');
  });

  it('has the colours of ours, and no others', async () => {
    const { stdout } = await run(proplane.url, ['resources'], { FORCE_COLOR: '1' });
    expect(stdout).toContain('\u001b[33m');
    expect(stdout).not.toContain('\u001b[45m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
    expectHarmless(stdout.replace(/\u001b\[\d+m/gu, ''));
  });

  it('means the same to programs', async () => {
    await eventually(async () => {
      const json = JSON.parse((await run(proplane.url, ['dataset', 'list', '--json'])).stdout);
      expect(json).toEqual([expect.objectContaining({ urn: DATASET, name: LINES })]);
    });
    const yaml = parse((await run(proplane.url, ['dataset', 'get', '--urn', DATASET])).stdout);
    expect(yaml).toEqual([expect.objectContaining({ id: LINES, name: EVIL, description: LINES })]);
    const details = parse((await run(proplane.url, ['properties', 'list', '--details'])).stdout);
    expect(details).toContainEqual(
      expect.objectContaining({ display_name: EVIL, allowed_values: [{ value: EVIL, description: EVIL }] }),
    );
  });

  it('is harmless while it follows long work', () => {
    for (const isTTY of [true, false]) {
      const written: string[] = [];
      const stream = { isTTY, columns: 80, write: (text: string) => written.push(text), cursorTo() {}, clearLine() {} };
      const progress = createProgress(stream as unknown as NodeJS.WriteStream, 'entities', SYSTEM_CLOCK);
      progress.show({ state: 'running', total: 2, processed: 1, note: EVIL });
      progress.wait(LINES);
      progress.end();
      const text = written.join('');
      for (const part of ['\u001b]0', '\u001b[45m', '\u009b', '\u202e', '\u2066']) expect(text).not.toContain(part);
      expect(text).toContain('pwned');
    }
  });
});

describe('what a server prints', () => {
  it('is harmless, and so is its log', async () => {
    await eventually(async () => expect(proplane.output).toMatch(/✗|!/u));
    expectHarmless(proplane.output);
    await run(proplane.url, ['delete', '--urn', `${DATASET}`, '--hard', '--yes']);
    const log = await readFile(join(deployment.folder, 'proplane.log'), 'utf8');
    expect(log).toContain('pwned');
    expectHarmless(log);
  });
});
