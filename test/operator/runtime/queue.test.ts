import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffDelay } from '../../../operator/runtime/backoff.ts';
import { type Next, Queue } from '../../../operator/runtime/queue.ts';
import { TestClock } from '../../harness/test-clock.ts';

const settled: Next = { kind: 'settled' };
const backoff = { firstMs: 1, greatestMs: 4, random: () => 0 };
const onError = () => undefined;

let clock: TestClock;
beforeEach(() => {
  clock = new TestClock();
});

/** Work that ends when the gate is opened. */
function gatedWork(): { begun: string[]; gate: PromiseWithResolvers<void>; work(key: string): Promise<Next> } {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  return {
    begun,
    gate,
    work: async (key) => {
      begun.push(key);
      await gate.promise;
      return settled;
    },
  };
}

describe('work on keys', () => {
  it('repeats a key that was added while it was worked on, and never works on it twice at a time', async () => {
    let atWork = 0;
    let most = 0;
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const work = async (): Promise<Next> => {
      atWork += 1;
      most = Math.max(most, atWork);
      runs += 1;
      await gate.promise;
      atWork -= 1;
      return settled;
    };
    const queue = new Queue({ clock, concurrency: 4, work, onError });
    for (let count = 0; count < 5; count += 1) queue.add('a');
    gate.resolve();
    await clock.advance(0);
    expect([queue.idle, runs, most]).toEqual([true, 2, 1]);
  });

  it('works on as many keys at a time as it may', async () => {
    const { begun, gate, work } = gatedWork();
    const queue = new Queue({ clock, concurrency: 2, work, onError });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    expect(begun).toEqual(['a', 'b']);
    gate.resolve();
    await queue.stop();
  });

  it('keeps one of several workers free for changes', async () => {
    const { begun, gate, work } = gatedWork();
    const queue = new Queue({ clock, concurrency: 3, work, onError });
    for (const key of ['a', 'b', 'c']) queue.add(key, 'resync');
    expect(begun).toEqual(['a', 'b']);
    queue.add('d');
    expect(begun).toEqual(['a', 'b', 'd']);
    gate.resolve();
    await clock.advance(0);
    expect(begun).toEqual(['a', 'b', 'd', 'c']);
    await queue.stop();
  });

  it('repeats with its own priority although a routine look is due sooner', async () => {
    const looks: string[] = [];
    const work = async (key: string, _attempt: number, priority: string): Promise<Next> => {
      looks.push(`${key} ${priority}`);
      return settled;
    };
    const queue = new Queue({ clock, concurrency: 1, work, onError });
    queue.hold();
    queue.add('b', 'resync');
    queue.addAfter('a', 1, 'resync');
    queue.addAfter('a', 5, 'change');
    await clock.advance(50);
    queue.release();
    await clock.advance(0);
    expect(looks).toEqual(['a change', 'b resync']);
    await queue.stop();
  });

  it('keeps a routine look that was asked for although a change comes before it', async () => {
    let runs = 0;
    const work = async (): Promise<Next> => {
      runs += 1;
      return settled;
    };
    const queue = new Queue({ clock, concurrency: 1, work, onError });
    queue.addAfter('a', 20, 'resync');
    queue.add('a');
    await clock.advance(19);
    expect(runs).toBe(1);
    await clock.advance(1);
    expect(runs).toBe(2);
    await queue.stop();
  });

  it('repeats with a growing count of attempts until the key is settled, then begins anew', async () => {
    const attempts: number[] = [];
    const work = async (_key: string, attempt: number): Promise<Next> => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('once');
      return attempt < 3 ? { kind: 'backoff' } : settled;
    };
    const errors: unknown[] = [];
    const queue = new Queue({ clock, concurrency: 1, work, onError: (_key, error) => errors.push(error), backoff });
    queue.add('a');
    await clock.advance(1 + 2 + 4);
    expect(attempts).toEqual([0, 1, 2, 3]);
    expect(errors).toHaveLength(1);
    queue.add('a');
    await clock.advance(1 + 2 + 4);
    expect(attempts).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    await queue.stop();
  });

  it('does not let a back-off keep a change waiting', async () => {
    const attempts: number[] = [];
    const work = async (_key: string, attempt: number): Promise<Next> => {
      attempts.push(attempt);
      return { kind: 'after', ms: 3_600_000 };
    };
    const queue = new Queue({ clock, concurrency: 1, work, onError });
    queue.add('a');
    await clock.advance(0);
    expect(attempts).toEqual([0]);
    queue.forget('a');
    queue.add('a');
    await clock.advance(0);
    expect(attempts).toEqual([0, 0]);
    await queue.stop();
  });

  it('begins nothing while it is held, and then everything that came meanwhile', async () => {
    const done: string[] = [];
    const work = async (key: string): Promise<Next> => {
      done.push(key);
      return settled;
    };
    const queue = new Queue({ clock, concurrency: 2, work, onError });
    queue.hold();
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 1);
    await clock.advance(20);
    expect([done, queue.idle]).toEqual([[], false]);
    queue.release();
    await clock.advance(0);
    expect(done.toSorted()).toEqual(['a', 'b', 'c']);
    queue.hold();
    await queue.stop();
  });

  it('ends what is at work when it stops, and begins nothing more', async () => {
    const done: string[] = [];
    const work = async (key: string): Promise<Next> => {
      await Promise.resolve();
      done.push(key);
      return { kind: 'backoff' };
    };
    const queue = new Queue({ clock, concurrency: 1, work, onError, backoff });
    queue.add('a');
    queue.add('b');
    await queue.stop();
    queue.add('c');
    await clock.advance(60_000);
    expect(done).toEqual(['a']);
  });
});

describe('back-off', () => {
  it('grows, stays within its bounds and is spread by chance', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    return fc.assert(
      fc.property(fc.nat(100), random, (attempt, chance) => {
        const delay = backoffDelay(attempt, { firstMs: 100, greatestMs: 5000, random: () => chance });
        const full = Math.min(100 * 2 ** attempt, 5000);
        expect(delay).toBeLessThanOrEqual(full);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(full * 0.75));
      }),
    );
  });
});
