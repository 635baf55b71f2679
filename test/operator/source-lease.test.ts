import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOST, PROCESSES } from '../../operator/own-process.ts';
import { FakeServer } from '../harness/fake-server.ts';
import { textProperty } from '../harness/manifests.ts';
import { OperatorBench } from '../harness/operator-bench.ts';
import { TestClock } from '../harness/test-clock.ts';

let server: FakeServer;
let first: OperatorBench;
let second: OperatorBench;

beforeEach(async () => {
  server = await new FakeServer().listen();
  const clock = new TestClock();
  server.sources.clock = clock;
  first = await OperatorBench.create(server.url, clock);
  second = await OperatorBench.create(server.url, clock);
  await first.write('mine.yaml', textProperty('mine'));
  await second.write('yours.yaml', textProperty('yours'));
});

afterEach(async () => {
  await first.close();
  await second.close();
  await server.close();
});

const problemsOf = (bench: OperatorBench) => bench.operator.snapshot().problems;
const namesOf = (bench: OperatorBench) => bench.operator.snapshot().rows.map(({ name }) => name);
const properties = () => [...server.catalogue.properties.keys()].map((urn) => urn.split('.').at(-1)).sort();

/** Somebody else is said to work on the source. */
function hand(host: string, processes: string, pid: number, ms = 60_000): void {
  const place = { host, manifests: ['/elsewhere/*.yaml'] };
  server.sources.lease('directory', { holder: { id: 'theirs', place, pid, processes }, ms });
}

describe('a second operator under the name of a source', () => {
  it('does nothing and says who works on it, and takes over when that one ends, asking about what is missing', async () => {
    await first.start();
    await first.reason('mine', 'Applied');
    await second.start();
    const [problem] = problemsOf(second);
    expect(problem).toMatchObject({ severity: 'error', reason: 'SourceHeld' });
    for (const part of [`process ${process.pid}`, HOST, `${first.folder}/resources`, 'SOURCE_NAME', 'since 2'])
      expect(problem?.message).toContain(part);
    expect([namesOf(second), properties()]).toEqual([[], ['mine']]);
    await first.stop();
    await second.reason('yours', 'Applied');
    await first.eventually(async () => expect(server.records.held.get('directory')?.resources).toHaveLength(1));
    await first.eventually(async () => expect(problemsOf(second)).toMatchObject([{ reason: 'DeletionsHeld' }]));
    expect(problemsOf(second)[0]?.message).toContain(first.folder);
    expect(properties()).toEqual(['mine', 'yours']);
  });

  it('is no second one under another name', async () => {
    await first.start();
    await second.start({ sourceName: 'other' });
    await second.reason('yours', 'Applied');
    await first.eventually(async () => expect(properties()).toEqual(['mine', 'yours']));
  });
});

describe('an operator', () => {
  it('stops when somebody else works on its source, and begins again when that one is gone', async () => {
    await first.start({ leaseMs: 15_000 });
    await first.reason('mine', 'Applied');
    server.sources.stored.delete('directory');
    hand('far', '', 1, 60_000);
    await first.eventually(async () => expect(problemsOf(first)).toMatchObject([{ reason: 'SourceHeld' }]));
    expect(namesOf(first)).toEqual([]);
    await first.reason('mine', 'Applied');
    expect([problemsOf(first), properties()]).toEqual([[], ['mine']]);
  });

  it('waits for one of its own machine only while that process is there', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
    hand(HOST, PROCESSES, child.pid!);
    await first.start();
    expect(problemsOf(first)).toMatchObject([{ reason: 'SourceHeld' }]);
    child.kill('SIGKILL');
    await once(child, 'close');
    await first.reason('mine', 'Applied');
  });

  it('waits for the end of the lease of one that it cannot know about', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'close');
    hand('far', PROCESSES, child.pid!);
    await first.start();
    expect(problemsOf(first)).toMatchObject([{ reason: 'SourceHeld' }]);
    await first.reason('mine', 'Applied');
  });

  it('ends while it waits', async () => {
    hand('far', '', 1);
    await first.start();
    await first.stop();
    expect(server.sources.stored.get('directory')?.holder?.id).toBe('theirs');
  });
});
