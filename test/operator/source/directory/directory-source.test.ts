import { mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../../../harness/fake-server.ts';
import { CLICKS, dataset, property, RETENTION, textProperty } from '../../../harness/manifests.ts';
import { OperatorBench } from '../../../harness/operator-bench.ts';

let server: FakeServer;
let bench: OperatorBench;

beforeEach(async () => {
  server = await new FakeServer().listen();
  server.catalogue.addDataset(CLICKS);
  bench = await OperatorBench.create(server.url);
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

const problems = () => bench.operator.snapshot().problems;
const problem = (reason: string) => problems().find((one) => one.reason === reason);
/** Longer than it takes for a missing manifest to count as deleted. */
const LONG_ENOUGH = 60_000;

async function startWith(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await bench.write(`p${index}.yaml`, textProperty(`p${index}`));
  await bench.start();
  await bench.eventually(async () => expect(server.catalogue.properties.size).toBe(count));
  await bench.quiet();
}

describe('files that come, change, move and go', () => {
  it('follows several documents of one file one by one', async () => {
    await bench.write('all.yaml', property(), textProperty('tier'), textProperty('note'));
    await bench.start();
    await bench.reason('note', 'Applied');
    await bench.write('all.yaml', property(), textProperty('note', { description: 'a note' }));
    await bench.eventually(async () =>
      expect(server.catalogue.properties.has('urn:li:structuredProperty:com.example.tier')).toBe(false),
    );
    expect([...server.catalogue.properties.keys()]).toEqual([RETENTION, 'urn:li:structuredProperty:com.example.note']);
  });

  it('takes a renamed file, and a document moved to another file, for what they are', async () => {
    await bench.write('a.yaml', property(), textProperty('tier'));
    await bench.start();
    await bench.reason('tier', 'Applied');
    await bench.rename('resources/a.yaml', 'resources/b.yaml');
    await bench.pass(LONG_ENOUGH);
    await bench.write('c.yaml', textProperty('tier'));
    await bench.write('b.yaml', property());
    await bench.pass(LONG_ENOUGH);
    await bench.quiet();
    expect(server.writes.filter((write) => write.startsWith('DELETE'))).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('uses the first of two manifests of one resource and names both places; the other follows when it goes', async () => {
    await bench.write('a.yaml', property({ description: 'first' }));
    await bench.write('b.yaml', '# one\n# two\n', property({ description: 'second' }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    expect(problem('Duplicate')).toMatchObject({ location: 'resources/b.yaml:4' });
    expect(problem('Duplicate')?.message).toContain('resources/a.yaml:1');
    expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('first');
    await bench.remove('a.yaml');
    await bench.eventually(async () =>
      expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('second'),
    );
    expect(problems()).toEqual([]);
  });

  it('reads a folder as a cluster mounts it: links that are swapped at once', async () => {
    const root = join(bench.folder, 'resources');
    const version = async (name: string, description: string) => {
      await mkdir(join(root, name));
      await writeFile(join(root, name, 'a.yaml'), JSON.stringify(property({ description })));
    };
    await version('..1', 'one');
    await symlink('..1', join(root, '..data'));
    await symlink('..data/a.yaml', join(root, 'a.yaml'));
    await bench.start();
    await bench.reason('retention', 'Applied');
    await version('..2', 'two');
    await unlink(join(root, '..data'));
    await symlink('..2', join(root, '..data'));
    await bench.eventually(async () =>
      expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('two'),
    );
    expect(server.writes.filter((write) => write.startsWith('DELETE'))).toEqual([]);
  });
});

describe('a broken file', () => {
  it('is reported with its line; its resources stay as they were, and other files go on', async () => {
    await bench.write('a.yaml', property());
    await bench.write('b.yaml', textProperty('tier'));
    await bench.start();
    await bench.reason('tier', 'Applied');
    const good = await readFile(join(bench.folder, 'resources/a.yaml'), 'utf8');
    await bench.write('a.yaml', `${good}  oops: [1, 2\n`);
    await bench.eventually(async () =>
      expect(problem('BrokenFile')?.location).toMatch(/^resources\/a\.yaml:\d+:\d+$/u),
    );
    await bench.write('b.yaml', textProperty('tier', { description: 'goes on' }));
    await bench.write('c.yaml', textProperty('note'));
    await bench.reason('note', 'Applied');
    await bench.remove('b.yaml');
    await bench.eventually(async () => expect(bench.row('tier')).toBeUndefined());
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
    await bench.write('a.yaml', good.replace('governance', 'other'));
    await bench.eventually(async () => expect(bench.row('retention')?.namespace).toBe('other'));
    expect(problem('BrokenFile')).toBeUndefined();
  });

  it('holds back, after a start, every deletion: the resource may be in it', async () => {
    await bench.write('a.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.stop();
    await bench.rename('resources/a.yaml', 'resources/b.yaml');
    await bench.write('b.yaml', 'kind: [\n');
    await bench.start();
    await bench.pass(LONG_ENOUGH);
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
    expect(problem('DeletionsWait')?.message).toContain('StructuredProperty/governance/retention');
    await bench.write('b.yaml', '# nothing\n');
    await bench.eventually(async () => expect(server.catalogue.properties.has(RETENTION)).toBe(false));
  });
});

describe('a folder that is not there', () => {
  it('deletes nothing when it is renamed away, and goes on when it is back', async () => {
    await startWith(3);
    await bench.rename('resources', 'elsewhere');
    await bench.eventually(async () => expect(problem('FolderMissing')?.location).toBe('resources'));
    await bench.eventually(async () => expect(problem('DeletionsWait')?.message).toMatch(/p0.*p1.*p2/u));
    await bench.clock.advance(LONG_ENOUGH);
    await bench.quiet();
    expect(server.catalogue.properties.size).toBe(3);
    await bench.rename('elsewhere', 'resources');
    await bench.eventually(async () => expect(problems()).toEqual([]));
    await bench.remove('p1.yaml');
    await bench.eventually(async () => expect(server.catalogue.properties.size).toBe(2));
  });

  it('deletes nothing after a start without it', async () => {
    await startWith(3);
    await bench.stop();
    await bench.rename('resources', 'elsewhere');
    await bench.start();
    await bench.eventually(async () => expect(problem('DeletionsWait')?.message).toMatch(/p0.*p1.*p2/u));
    await bench.clock.advance(LONG_ENOUGH);
    await bench.quiet();
    expect(server.catalogue.properties.size).toBe(3);
    expect(bench.row('p1')?.state).toBe('ready');
  });
});

describe('many missing at once', () => {
  async function removeAll(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await bench.remove(`p${index}.yaml`);
  }

  it('are held until somebody confirms', async () => {
    await startWith(24);
    await removeAll(22);
    await bench.eventually(async () => expect(server.records.held.get('directory')?.resources).toHaveLength(22));
    await bench.eventually(async () => expect(problem('DeletionsHeld')?.message).toContain('22 of 24'));
    await bench.pass(LONG_ENOUGH);
    expect(server.catalogue.properties.size).toBe(24);
    server.records.confirm();
    await bench.eventually(async () => expect(server.catalogue.properties.size).toBe(2));
    await bench.eventually(async () => expect(server.records.held.size).toBe(0));
    await bench.eventually(async () => expect(problems()).toEqual([]));
  });

  it('stay held when others of them are back, until they are confirmed one by one or back as well', async () => {
    const heldNow = () => server.records.held.get('directory')?.resources.map(({ name }) => name);
    await startWith(60);
    await removeAll(60);
    await bench.eventually(async () => expect(heldNow()).toHaveLength(60));
    for (let index = 3; index < 60; index += 1) await bench.write(`p${index}.yaml`, textProperty(`p${index}`));
    await bench.eventually(async () => expect(heldNow()).toEqual(['p0', 'p1', 'p2']));
    await bench.pass(LONG_ENOUGH);
    await bench.stop();
    await bench.start();
    await bench.pass(LONG_ENOUGH);
    expect([server.catalogue.properties.size, heldNow()]).toEqual([60, ['p0', 'p1', 'p2']]);
    expect(problem('DeletionsHeld')?.message).toContain('3 deletions held');
    server.records.confirm(['p0']);
    await bench.eventually(async () => expect(heldNow()).toEqual(['p1', 'p2']));
    await bench.write('p1.yaml', textProperty('p1'));
    await bench.eventually(async () => expect(heldNow()).toEqual(['p2']));
    server.records.confirm();
    await bench.eventually(async () => expect(server.records.held.size).toBe(0));
    expect(server.catalogue.properties.size).toBe(58);
  });

  it('are held after a restart, and deleted by a start that confirms', async () => {
    await startWith(21);
    await bench.stop();
    await removeAll(21);
    await bench.start();
    await bench.eventually(async () => expect(server.records.held.get('directory')?.resources).toHaveLength(21));
    expect(server.catalogue.properties.size).toBe(21);
    await bench.stop();
    await bench.start({ confirmDeletions: true });
    await bench.eventually(async () => expect(server.catalogue.properties.size).toBe(0));
    await bench.eventually(async () => expect(server.records.held.size).toBe(0));
  });
});

describe('owner marks', () => {
  it('tell after a restart what was there, also when the records are lost, and only of the own source', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    const foreign = {
      source: 'cluster',
      kind: 'StructuredProperty',
      namespace: 'x',
      name: 'y',
      deletionPolicy: 'HardDelete',
    } as const;
    const theirs = 'urn:li:structuredProperty:com.example.theirs';
    server.catalogue.define(
      theirs,
      { qualifiedName: 'com.example.theirs', valueType: 'string', entityTypes: [] },
      foreign,
    );
    await bench.stop();
    server.records.stored.clear();
    await bench.remove('all.yaml');
    await bench.start();
    await bench.eventually(async () => expect([...server.catalogue.properties.keys()]).toEqual([theirs]));
    expect(server.catalogue.values(CLICKS)).toEqual({});
  });
});
