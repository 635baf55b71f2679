import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, entityPath, eventually } from '../harness/api.ts';
import { checkCatalogue } from '../harness/check-catalogue.ts';
import { CommandHost } from '../harness/command-host.ts';
import { CommandLine, type CommandRun } from '../harness/command-line.ts';
import { type Deployment, pairsOfRun, serverDeployment } from '../harness/deployments.ts';
import { embeddedDeployment } from '../harness/embedded-deployment.ts';
import { freePorts } from '../harness/free-ports.ts';
import { mongodbPart } from '../harness/mongodb-server.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { typesensePart } from '../harness/typesense-server.ts';
import { sizeOf } from '../tiers.ts';

/** A catalogue that moves between servers by the command line, over kills of both. */

const DATASETS = sizeOf('PROPLANE_TRANSFER_DATASETS', { quick: 400, long: 1_000 });
const AT_ONCE = 100;
const ENVIRONMENT = { REQUEST_TIMEOUT_S: '3', ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: 'false' };
/** So long that an export and an import take a while. */
const DESCRIPTION = 'All that one can say about a dataset. '.repeat(600);

const propertyOf = (name: string) => `urn:li:structuredProperty:com.example.moving.${name}`;
const datasetOf = (index: number) =>
  `urn:li:dataset:(urn:li:dataPlatform:hive,moving.t${String(index).padStart(6, '0')},PROD)`;
const fieldOf = (index: number) => `urn:li:schemaField:(${datasetOf(index)},id)`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const running: ProplaneProcess[] = [];
const deployments: Deployment[] = [];
/** The catalogue that is moved; it has come to rest. */
let source: Server;
/** A whole export of it. */
let file: string;
let commands: CommandHost;

interface Server {
  readonly deployment: Deployment;
  readonly url: string;
  readonly api: Api;
  process: ProplaneProcess;
  again(): Promise<void>;
}

/** A server that can be killed and started again on the same port. */
async function startServer(deployment?: Deployment): Promise<Server> {
  const own = deployment ?? (await embeddedDeployment());
  deployments.push(own);
  const [port] = await freePorts(1);
  const start = async () => {
    const environment = { ...ENVIRONMENT, API_PORT: String(port) };
    const proplane = await ProplaneProcess.start({ deployment: own, environment });
    running.push(proplane);
    return proplane;
  };
  const proplane = await start();
  const server: Server = {
    deployment: own,
    url: proplane.url,
    api: new Api(proplane.url),
    process: proplane,
    async again() {
      await server.process.kill();
      server.process = await start();
    },
  };
  return server;
}

async function fill({ api }: Server): Promise<void> {
  const owner = 'source=git&kind=StructuredProperty&namespace=shop&name=number&deletionPolicy=HardDelete';
  for (const [name, valueType] of Object.entries({ number: 'number', soft: 'string', gone: 'string' })) {
    const definition = {
      qualifiedName: `com.example.moving.${name}`,
      valueType,
      entityTypes: ['dataset', 'schemaField'],
    };
    const headers: Record<string, string> = name === 'number' ? { 'x-proplane-owner': owner } : {};
    const answer = await api.post(entityPath('v3', propertyOf(name), 'propertyDefinition'), definition, headers);
    expect(answer.status).toBe(200);
  }
  const indexes = Array.from({ length: DATASETS }, (_, index) => index);
  for (let first = 0; first < DATASETS; first += AT_ONCE) {
    const items = indexes.slice(first, first + AT_ONCE).map((index) => ({
      urn: datasetOf(index),
      editableDatasetProperties: { value: { description: `${index}: ${DESCRIPTION}` } },
      structuredProperties: {
        value: {
          properties: [
            { propertyUrn: propertyOf('number'), values: [{ double: index % 10 }] },
            { propertyUrn: propertyOf('soft'), values: [{ string: 'kept' }] },
            { propertyUrn: propertyOf('gone'), values: [{ string: 'lost' }] },
          ],
        },
      },
    }));
    const answer = await api.post('/openapi/v3/entity/dataset?async=false&createIfEntityNotExists=true', items);
    expect(answer.status).toBe(200);
  }
  for (const index of [1, 2]) await api.post(entityPath('v3', fieldOf(index), 'status'), { removed: false });
  const resource = { kind: 'StructuredProperty', namespace: 'shop', name: 'number', specHash: 'one' };
  await api.post('/resources/register', { source: 'git', resources: [resource] });
  await api.post(entityPath('v3', propertyOf('soft'), 'status'), { removed: true });
  await api.delete(entityPath('v3', propertyOf('gone')));
  await api.delete(entityPath('v3', datasetOf(1)));
}

/** Everything is indexed, and no job is left. */
function atRest({ api }: Server): Promise<void> {
  return eventually(async () => {
    expect((await api.get('/metrics')).body).toMatch(/^proplane_outbox_entities 0$/mu);
    const { body } = await api.get('/jobs');
    for (const { state } of body.jobs) expect(state).toBe('done');
  }, 120_000);
}

/** For a command that ends by itself; its streams are pipes. */
function run(host: string, ...words: readonly string[]): Promise<CommandRun> {
  return commands.run({ PROPLANE_HOST: host }, words);
}

async function exportOf({ url }: Server): Promise<string[]> {
  const { code, stdout } = await new CommandLine(url, 'export').end();
  expect(code).toBe(0);
  return stdout.split('\n').slice(1);
}

const linesOf = async (path: string) => (await readFile(path, 'utf8')).split('\n').slice(1);
const lengthOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0;

/** What both servers answer, searches among it. */
async function answersOf({ api }: Server): Promise<unknown[]> {
  const answers = [];
  for (const query of ['com_example_moving_number:7', 'com_example_moving_gone:lost']) {
    const search = `count=1000&aspects=structuredProperties&query=structuredProperties.${query}`;
    answers.push((await api.get(`/openapi/v3/entity/dataset?${search}`)).body);
  }
  for (const urn of [datasetOf(7), datasetOf(1), fieldOf(1), fieldOf(2), propertyOf('soft'), propertyOf('gone')]) {
    answers.push((await api.get(`${entityPath('v3', urn)}?systemMetadata=true`)).body);
  }
  answers.push((await api.get('/owners')).body, (await api.get('/resources')).body);
  return answers;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'whole.ndjson');
  commands = new CommandHost();
  source = await startServer();
  await fill(source);
  await atRest(source);
}, 240_000);

afterAll(async () => {
  await commands?.close();
  for (const each of running) await each.kill();
  for (const each of deployments) await each.remove();
  await folder?.remove();
});

const pairs = pairsOfRun();
if (pairs.includes('embedded')) describe('proplane export and import', movesEmbedded);
if (pairs.includes('servers')) await describeMoveToServers();

function movesEmbedded(): void {
  it('go on where a kill of the command line or of the server has cut the export', async () => {
    const killed = new CommandLine(source.url, 'export', '-o', file);
    await grown(() => lengthOf(file));
    expect(killed.isRunning).toBe(true);
    await killed.kill();
    const cut = await lengthOf(file);
    const { code, stderr } = await run(source.url, 'import', file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`run \`proplane export -o ${file}\` once more`)]);

    const resumed = new CommandLine(source.url, 'export', '-o', file);
    await grown(() => lengthOf(file), cut);
    expect(resumed.isRunning).toBe(true);
    await source.again();
    expect(await resumed.end()).toMatchObject({ code: 0, stderr: expect.stringContaining(`Exported to ${file}: `) });
    expect(await linesOf(file)).toEqual(await exportOf(source));
  }, 120_000);

  it('write a whole export only once to a file, and nothing but lines to a pipe', async () => {
    const again = await run(source.url, 'export', '-o', file);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`${file} is a whole export already`)]);
    const other = join(folder.path, 'other');
    await writeFile(other, 'a shopping list\n');
    const strange = await run(source.url, 'export', '-o', other);
    expect([strange.code, await readFile(other, 'utf8')]).toEqual([1, 'a shopping list\n']);
    const piped = await new CommandLine(source.url, 'export').end();
    expect(piped.stderr).toMatch(/^exporting: .*\ndone: .*\nExported to standard output: \d+ lines\n$/su);
    for (const line of piped.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('kind');
  }, 180_000);

  it('go on where kills of the command line and of the target have cut the import; the target is like the source', async () => {
    const target = await startServer();
    const lines = async () => (await target.api.get('/import').catch(() => ({ body: { lines: 0 } }))).body.lines;
    const killed = new CommandLine(target.url, 'import', file);
    await grown(lines);
    expect(killed.isRunning).toBe(true);
    await killed.kill();
    const before = await lines();
    const refused = await target.api.post(entityPath('v3', datasetOf(0), 'status'), { removed: true });
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('An import is under way')]);

    const resumed = new CommandLine(target.url, 'import', file);
    await grown(lines, before);
    expect(resumed.isRunning).toBe(true);
    await target.again();
    expect(await resumed.end()).toMatchObject({ code: 0, stderr: expect.stringContaining(`Imported ${file}: `) });
    const again = await run(target.url, 'import', file);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('was imported already')]);

    await atRest(target);
    expect(await answersOf(target)).toEqual(await answersOf(source));
    expect(await exportOf(target)).toEqual(await linesOf(file));
    await target.process.stop();
    await expectRight(target);
  }, 180_000);

  it('say what to do when the target is not empty, or away', async () => {
    const full = await run(source.url, 'import', file);
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('Start the server on an empty store')]);
    const away = await run('http://127.0.0.1:1', 'import', '--timeout', '1', file);
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('No answer from http://127.0.0.1:1')]);
    const nowhere = await run(source.url, 'import', join(folder.path, 'none'));
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('is not there, or empty')]);
  }, 180_000);

  it('take no file that somebody has changed', async () => {
    const target = await startServer();
    const changed = join(folder.path, 'changed');
    const whole = (await readFile(file, 'utf8')).split('\n');
    await writeFile(changed, whole.toSpliced(5, 1).join('\n'));
    const shorter = await run(target.url, 'import', changed);
    expect([shorter.code, shorter.stderr]).toEqual([1, expect.stringContaining('the file is not as it was written')]);
    await appendFile(changed, '{"kind":');
    expect((await run(target.url, 'import', changed)).code).toBe(1);
  }, 180_000);
}

async function describeMoveToServers(): Promise<void> {
  const grows = 'makes a cluster of an embedded catalogue: SQLite to MongoDB and Typesense';
  const [mongodb, typesense] = [await mongodbPart(), await typesensePart()];
  const missing = [mongodb, typesense].flatMap((part) => ('missing' in part ? [part.missing] : []));
  if ('missing' in mongodb || 'missing' in typesense) describe.skip(missing.join('; '), () => it(grows, () => {}));
  else it(grows, () => toCluster(mongodb.address, typesense.address), 240_000);
}

async function toCluster(mongodbAddress: string, typesenseAddress: string): Promise<void> {
  const target = await startServer(await serverDeployment(mongodbAddress, typesenseAddress));
  const whole = join(folder.path, 'for-the-cluster.ndjson');
  expect(await run(source.url, 'export', '-o', whole)).toMatchObject({ code: 0 });
  expect(await run(target.url, 'import', whole)).toMatchObject({ code: 0 });
  await atRest(target);
  expect(await answersOf(target)).toEqual(await answersOf(source));
  expect(await exportOf(target)).toEqual(await linesOf(whole));
  await target.process.stop();
  await expectRight(target);
}

/** Of a server that has stopped. */
async function expectRight({ deployment }: Server): Promise<void> {
  const { store, search, close } = await deployment.open();
  expect(await checkCatalogue(store, search)).toEqual([]);
  await close();
}

/** Waits until something has grown; looks often, because what it waits for is over soon. */
async function grown(measure: () => Promise<number>, from = 0): Promise<void> {
  const late = performance.now() + 60_000;
  for (let seen = await measure(); seen <= from; seen = await measure()) {
    if (performance.now() > late) throw new Error(`it was ${from} and is ${seen}`);
    await sleep(2);
  }
}
