import { afterEach, describe, expect, it } from '@jest/globals';
import { type PoolOptions, ThreadPool } from '../../../../api-server/search/threads/thread-pool.ts';

const module = new URL('../../../harness/failing-worker.ts', import.meta.url);
/** Longer than anything here takes. */
const LONG = { patience: 60_000, longest: 60_000 };
const SHORT = { patience: 60_000, longest: 20 };

const pools: ThreadPool[] = [];

function openPool(options: Partial<PoolOptions> = {}): ThreadPool {
  const pool = new ThreadPool({ module, open: 'well', threads: 1, callsEach: 1, grace: 300, ...options });
  pools.push(pool);
  return pool;
}

describe('ThreadPool', () => {
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  it.each([
    ['one thread, one call at a time', { threads: 1, callsEach: 1 }],
    ['one thread, many calls', { threads: 1, callsEach: 100 }],
    ['three threads', { threads: 3, callsEach: 1 }],
  ])('gives each caller its own answer: %s', async (_how, options) => {
    const pool = openPool(options);
    const numbers = Array.from({ length: 50 }, (_, at) => at);
    expect(await Promise.all(numbers.map((at) => pool.call('echo', at, LONG)))).toEqual(numbers);
  });

  it('ends a thread that a call blocks, and answers with another one what waited meanwhile', async () => {
    const pool = openPool();
    const blocking = pool.call('block', undefined, SHORT);
    const waiting = pool.call('echo', 'waited', LONG);
    await expect(blocking).rejects.toMatchObject({ code: 'timeout' });
    expect(await waiting).toBe('waited');
    expect(await pool.call('echo', 'later', LONG)).toBe('later');
  });

  it('rejects what else a thread was at when it is ended', async () => {
    const pool = openPool({ callsEach: 10 });
    expect(await pool.call('echo', 'open', LONG)).toBe('open');
    const others = [pool.call('wait', undefined, LONG), pool.call('wait', undefined, LONG)];
    await expect(pool.call('block', undefined, SHORT)).rejects.toMatchObject({ code: 'timeout' });
    for (const other of others) await expect(other).rejects.toMatchObject({ code: 'timeout' });
  });

  it('leaves a thread alone that is too long at a call and says that it is alive', async () => {
    const pool = openPool({ callsEach: 10 });
    const other = pool.call('wait', undefined, { patience: 2_000, longest: 60_000 });
    await expect(pool.call('wait', undefined, SHORT)).rejects.toMatchObject({ code: 'timeout' });
    await expect(other).rejects.toThrow('took too long');
    expect(await pool.call('echo', 1, LONG)).toBe(1);
  });

  it('gives up a call that waits for its turn longer than its caller does, and only that', async () => {
    const pool = openPool();
    const blocking = pool.call('block', undefined, { patience: 60_000, longest: 500 });
    const [impatient, patient] = [pool.call('echo', 1, { patience: 20, longest: 60_000 }), pool.call('echo', 2, LONG)];
    await expect(impatient).rejects.toMatchObject({ code: 'timeout' });
    await expect(blocking).rejects.toMatchObject({ code: 'timeout' });
    expect(await patient).toBe(2);
  });

  it('starts another thread for the next call when one has died', async () => {
    const pool = openPool();
    await expect(pool.call('exit', undefined, LONG)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await pool.call('echo', 1, LONG)).toBe(1);
  });

  it('says why a thread cannot be opened, to everyone who asks', async () => {
    const pool = openPool({ open: 'broken' });
    const calls = [pool.call('echo', 1, LONG), pool.call('echo', 2, LONG)];
    for (const call of calls) await expect(call).rejects.toThrow('cannot be opened');
  });

  it('refuses a call when a thousand wait', async () => {
    const pool = openPool();
    const blocking = pool.call('block', undefined, { patience: 60_000, longest: 1_000 });
    const calls = Array.from({ length: 1_000 }, (_, at) => pool.call('echo', at, LONG));
    await expect(pool.call('echo', 'too many', LONG)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(blocking).rejects.toMatchObject({ code: 'timeout' });
    expect(await Promise.all(calls)).toHaveLength(1_000);
  });

  it('answers what was asked before it is closed, and refuses what comes after', async () => {
    const pool = openPool();
    const calls = [1, 2, 3].map((at) => pool.call('echo', at, LONG));
    const closed = pool.close();
    await expect(pool.call('echo', 4, LONG)).rejects.toThrow('The search index is closed');
    expect(await Promise.all(calls)).toEqual([1, 2, 3]);
    await closed;
  });
});
