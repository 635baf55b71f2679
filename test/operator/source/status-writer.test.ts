import { afterEach, describe, expect, it } from '@jest/globals';
import { StatusWriter } from '../../../operator/source/status-writer.ts';
import { TestClock } from '../../harness/test-clock.ts';

const BACKOFF = { firstMs: 5, greatestMs: 20, random: () => 0 };
const idOf = (name: string) => ({ kind: 'StructuredProperty', namespace: 'a', name }) as const;
const statusOf = (observedGeneration: number) => ({ observedGeneration, conditions: [] });

let clock: TestClock;
let writer: StatusWriter;
let written: string[] = [];
let attempts = 0;
let refuses: (name: string) => unknown = () => undefined;

function open(backoff = BACKOFF): void {
  clock = new TestClock();
  written = [];
  attempts = 0;
  refuses = () => undefined;
  writer = new StatusWriter(
    async ({ name }, { observedGeneration }) => {
      attempts += 1;
      const error = refuses(name);
      if (error !== undefined) throw error;
      written.push(`${name}:${observedGeneration}`);
    },
    clock,
    backoff,
  );
}

afterEach(() => writer.stop());

describe('a status', () => {
  it('that is reported while another one is being written is written next', async () => {
    open();
    refuses = () => {
      if (attempts === 1) void writer.put(idOf('a'), statusOf(2));
      return undefined;
    };
    await writer.put(idOf('a'), statusOf(1));
    expect(written).toEqual(['a:1', 'a:2']);
  });

  it('that could not be written is written later, the latest one only', async () => {
    open();
    refuses = () => new Error('away');
    await writer.put(idOf('a'), statusOf(1));
    await writer.put(idOf('a'), statusOf(2));
    expect(written).toEqual([]);
    refuses = () => undefined;
    await clock.advance(100);
    expect(written).toEqual(['a:2']);
  });

  it('that is refused for good keeps no other one from being written', async () => {
    open();
    refuses = (name) => (name === 'a' ? new Error('forbidden') : attempts < 4 ? new Error('away') : undefined);
    for (const name of ['a', 'b', 'c']) await writer.put(idOf(name), statusOf(1));
    await clock.advance(1000);
    expect(written.toSorted()).toEqual(['b:1', 'c:1']);
  });

  it('that is forgotten is not written any more', async () => {
    open();
    refuses = () => new Error('away');
    await writer.put(idOf('a'), statusOf(1));
    await writer.forget(idOf('a'));
    refuses = () => undefined;
    await writer.put(idOf('b'), statusOf(1));
    await clock.advance(1000);
    await writer.stop();
    expect(written).toEqual(['b:1']);
  });

  it('is tried again one after the other while all are refused, not all at once', async () => {
    open({ ...BACKOFF, firstMs: 60_000, greatestMs: 60_000 });
    refuses = () => new Error('away');
    await Promise.all(Array.from({ length: 100 }, (_, index) => writer.put(idOf(`n${index}`), statusOf(1))));
    await clock.advance(59_000);
    expect(attempts).toBe(100);
    await clock.advance(1500);
    const again = attempts - 100;
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(50);
    await writer.stop();
    await clock.advance(60_000);
    expect(attempts).toBe(100 + again);
  });
});
