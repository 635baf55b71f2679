import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { planSchema } from '../../plan/plan-shape.ts';
import { CommandHost } from '../harness/command-host.ts';
import { CommandLine, type CommandRun } from '../harness/command-line.ts';
import { FakeServer, onlyReads } from '../harness/fake-server.ts';
import { CLICKS, dataset, property, RETENTION, textProperty } from '../harness/manifests.ts';
import { OperatorBench } from '../harness/operator-bench.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** A port on which nobody answers. */
const NOWHERE = 'http://127.0.0.1:9';
const GLOB = 'resources/**/*.yaml';
const NARROW = { allowedValues: [{ value: 90 }] };

let commands: CommandHost;
beforeAll(() => {
  commands = new CommandHost();
});
afterAll(() => commands.close());

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function write(file: string, ...documents: (object | string)[]): Promise<void> {
  const path = join(folder.path, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, documents.map((one) => (typeof one === 'string' ? one : stringify(one))).join('---\n'));
}

/** Runs `proplane plan` in a folder. */
function planIn(folder: string, host: string, ...options: readonly string[]): Promise<CommandRun> {
  return commands.run({ HOME: folder, PROPLANE_HOST: host }, ['plan', ...options], folder);
}

const plan = (...options: string[]): Promise<CommandRun> => planIn(folder.path, NOWHERE, ...options);

describe('against a folder', () => {
  beforeEach(async () => {
    await write('old/a.yaml', property());
  });

  it.each<[string, object, number]>([
    ['0 when there is nothing to do', property(), 0],
    ['2 when there are changes', property({ description: 'new' }), 2],
    ['3 when a breaking change has no version', property(NARROW), 3],
    ['2 when it has one', property({ ...NARROW, version: '20260101000000' }), 2],
    ['1 when something is wrong', property({ nonsense: 1 }), 1],
  ])('ends with %s', async (_what, manifest, code) => {
    await write('resources/a.yaml', manifest);
    const [globs, old] = [join(folder.path, GLOB), join(folder.path, 'old')];
    const run = await new CommandLine({ HOME: folder.path }, 'plan', globs, '--against', old).end();
    expect([run.code, run.stderr]).toEqual([code, '']);
  });

  it('lets an error win over a breaking change', async () => {
    await write('resources/a.yaml', property(NARROW), textProperty('x', { nonsense: 1 }));
    const { code, stdout } = await plan(GLOB, '--against', 'old');
    expect(code).toBe(1);
    expect(stdout).toContain('1 in error, 1 breaking without a version');
  });

  it('names the place of what cannot be read and of what is wrong', async () => {
    await write('resources/a.yaml', property(), textProperty('x', { nonsense: 1 }));
    await write('resources/b.yaml', 'kind: [\n');
    const { code, stdout } = await plan(GLOB, '--against', 'old');
    expect(code).toBe(1);
    expect(stdout).toContain('resources/b.yaml:2:1');
    expect(stdout).toMatch(/Invalid: .*resources\/a\.yaml:\d+/u);
  });

  it('names globs that mean nothing', async () => {
    await write('resources/a.yaml', property());
    const { code, stdout } = await plan(GLOB, 'resources/*.yml', '--against', 'old');
    expect(code).toBe(1);
    expect(stdout).toContain('resources/*.yml means no file');
  });

  it('leaves out what a glob excludes', async () => {
    await write('resources/a.yaml', property());
    await write('resources/drafts/b.yaml', textProperty('draft'));
    expect((await plan(GLOB, '!resources/drafts/**', '--against', 'old')).code).toBe(0);
  });

  it.each([
    [['!m'], 'only excludes'],
    [[''], 'a glob is empty'],
    [[GLOB, '--against', '!m'], 'only excludes'],
    [['!m', '--against-revision', 'HEAD'], 'only excludes'],
  ])('refuses %j, which cannot be meant', async (globs, told) => {
    await write('resources/a.yaml', property());
    expect(await plan(...globs)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(told) as unknown,
    });
  });

  it('says that there was nothing where a folder is new', async () => {
    await write('resources/a.yaml', property());
    const { code, stdout } = await plan(GLOB, '--against', 'older/**/*.yaml');
    expect(code).toBe(2);
    expect(stdout).toContain('NothingBefore: there was nothing at older/**/*.yaml before');
    expect(stdout).not.toContain('BrokenBase');
  });

  it('deletes what the last manifest had, and still says that no file is left', async () => {
    await mkdir(join(folder.path, 'resources'));
    const { code, stdout } = await plan(GLOB, '--against', 'old');
    expect([code, stdout]).toEqual([2, expect.stringContaining('com.example.retention is hard deleted')]);
    expect(stdout).toContain('! NoFiles: ');
  });

  it('is coloured as FORCE_COLOR says', async () => {
    await write('resources/a.yaml', property({ description: 'new' }));
    const run = (environment: Record<string, string>) =>
      commands.run(environment, ['plan', GLOB, '--against', 'old'], folder.path);
    expect((await run({ FORCE_COLOR: '1' })).stdout).toContain('\u001B[');
    expect((await run({})).stdout).not.toContain('\u001B[');
  });

  it('prints JSON of the documented shape', async () => {
    await write('resources/a.yaml', property({ description: 'new' }));
    const { stdout } = await plan(GLOB, '--against', 'old', '--format', 'json');
    expect(planSchema.parse(JSON.parse(stdout))).toMatchObject({ exitCode: 2, against: 'old', summary: { change: 1 } });
  });
});

describe('against a git revision', () => {
  const git = (...options: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...options], {
      cwd: folder.path,
      stdio: 'pipe',
    });

  it('compares with the same globs as they were, whatever the working tree has', async () => {
    await write('resources/a.yaml', property());
    await write('resources/ä b/old.yaml', textProperty('old'));
    await write('notes.yaml', 'kind: [\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    await write('resources/a.yaml', property(NARROW));
    await rm(join(folder.path, 'resources/ä b'), { recursive: true });
    const { code, stdout } = await plan(GLOB, '--against-revision', 'HEAD', '--format', 'markdown');
    expect(code).toBe(3);
    expect(stdout).toContain('Against `revision HEAD`');
    expect(stdout).toContain('`com.example.old` is hard deleted');
    expect(String(git('status', '--porcelain', '--untracked-files=no'))).toContain('resources/a.yaml');
    await write('resources/a.yaml', property());
    await write('resources/old.yaml', textProperty('old'));
    expect((await plan(GLOB, '--against-revision', 'main')).code).toBe(0);
    await mkdir(join(folder.path, 'below'));
    expect((await planIn(join(folder.path, 'below'), NOWHERE, '../resources', '--against-revision', 'HEAD')).code).toBe(
      0,
    );
  });

  it('follows symbolic links as the working tree does', async () => {
    await write('all/a.yaml', property());
    await write('all/loop/b.yaml', textProperty('b'));
    await write('files/c.yml', textProperty('c'));
    await mkdir(join(folder.path, 'resources'));
    await symlink('../all', join(folder.path, 'resources/linked'));
    await symlink('../files/c.yml', join(folder.path, 'resources/c.yaml'));
    await symlink('..', join(folder.path, 'all/loop/up'));
    await symlink('nowhere', join(folder.path, 'resources/dangling.yaml'));
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    const same = await plan(GLOB, '--against-revision', 'HEAD');
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
    await write('all/a.yaml', property({ description: 'new' }));
    expect((await plan(GLOB, '--against-revision', 'HEAD')).stdout).toContain('resources/linked/a.yaml:1');
  });

  it('understands an absolute glob that goes through a link', async () => {
    await write('here/resources/a.yaml', property());
    await symlink('here', join(folder.path, 'there'));
    git('init', '-q', 'here');
    git('-C', 'here', 'add', '.');
    git('-C', 'here', 'commit', '-qm', 'one');
    const glob = join(folder.path, 'there/resources/**/*.yaml');
    const run = await planIn(join(folder.path, 'here'), NOWHERE, glob, '--against-revision', 'HEAD');
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
  });

  it('says what to do about a revision that is not there', async () => {
    await write('resources/a.yaml', property());
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('commit', '-qm', 'two', '--allow-empty');
    expect(await plan(GLOB, '--against-revision', 'origin/main')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no git revision origin/main') as unknown,
    });
    const clone = join(folder.path, 'clone');
    git('clone', '-q', '--depth=1', `file://${folder.path}`, clone);
    const { stderr } = await planIn(clone, NOWHERE, GLOB, '--against-revision', 'origin/release');
    expect(stderr).toContain(
      'this clone is shallow; fetch it first (git fetch --depth=1 origin release:refs/remotes/origin/release)',
    );
  });

  it('says that a folder is in no repository', async () => {
    await write('resources/a.yaml', property());
    const { code, stderr } = await plan(GLOB, '--against-revision', '--output=x');
    expect([code, stderr]).toEqual([1, expect.stringContaining('is in no git repository')]);
  });
});

describe('against a server', () => {
  let server: FakeServer;
  let bench: OperatorBench;
  beforeEach(async () => {
    server = await new FakeServer().listen();
    bench = await OperatorBench.create(server.url);
    server.catalogue.addDataset(CLICKS);
  });
  afterEach(async () => {
    await bench.close();
    await server.close();
  });

  it('says who is affected, and sends nothing that changes anything', async () => {
    await bench.write('a.yaml', property(), dataset());
    await bench.write('b.yaml', textProperty('tier'));
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.stop();
    await bench.write('a.yaml', property({ valueType: 'string', allowedValues: undefined, version: '20260101000000' }));
    await bench.remove('b.yaml');
    server.requests.splice(0);
    const { code, stdout } = await planIn(bench.folder, server.url, GLOB, '--format', 'json');
    expect(code).toBe(2);
    const { properties, entities } = planSchema.parse(JSON.parse(stdout));
    expect(properties.map(({ urn, action, holders }) => [urn, action, holders])).toEqual([
      [RETENTION, 'break', [{ entityType: 'dataset', count: 1 }]],
      ['urn:li:structuredProperty:com.example.tier', 'delete', []],
    ]);
    expect(entities).toMatchObject([{ urn: CLICKS, values: [{ action: 'remove', before: ['90'] }] }]);
    expect(server.requests.length).toBeGreaterThan(0);
    expect(server.requests.filter((request) => !onlyReads(request))).toEqual([]);
  });

  it('waits for a dataset that is not there, and creates it when told to', async () => {
    const there = dataset({ datasetUrns: ['urn:li:dataset:(urn:li:dataPlatform:hive,new,PROD)'] });
    await write('resources/a.yaml', property(), there);
    const waits = await planIn(folder.path, server.url, GLOB);
    expect([waits.code, waits.stdout]).toEqual([2, expect.stringContaining('DatasetNotFound')]);
    await write('resources/a.yaml', property(), { ...there, spec: { ...there.spec, whenMissing: 'Create' } });
    expect((await planIn(folder.path, server.url, GLOB)).stdout).toContain(
      '+ urn:li:dataset:(urn:li:dataPlatform:hive,new,PROD) is created',
    );
  });

  it('touches nothing of another source', async () => {
    await bench.write('a.yaml', property());
    await bench.start({ sourceName: 'theirs' });
    await bench.reason('retention', 'Applied');
    await bench.stop();
    await write('resources/a.yaml', textProperty('tier'));
    const { stdout } = await planIn(folder.path, server.url, GLOB);
    expect(stdout).toContain('1 to create');
    expect(stdout).not.toContain('retention');
    expect((await planIn(folder.path, server.url, GLOB, '--source', 'theirs')).stdout).toContain(
      'com.example.retention is hard deleted',
    );
  });

  it('ends with 1 and says what to do when the server is away or out of order', async () => {
    await write('resources/a.yaml', property());
    const away = await planIn(folder.path, NOWHERE, GLOB);
    expect([away.code, away.stdout]).toEqual([1, '']);
    expect(away.stderr).toMatch(/^No answer from .*Is it running\? Set another address with --host/u);
    server.failing = 503;
    const broken = await planIn(folder.path, server.url, GLOB);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('out of order')]);
  });
});
