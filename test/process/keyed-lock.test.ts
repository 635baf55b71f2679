import { describe, expect, it } from '@jest/globals';
import { KeyedLock } from '../../process/keyed-lock.ts';

describe('a lock by key', () => {
  it('runs tasks of one key in order, one at a time, also after one that failed; others do not wait', async () => {
    const lock = new KeyedLock();
    const gate = Promise.withResolvers<void>();
    const said: string[] = [];
    const first = lock.run('a', async () => {
      await gate.promise;
      said.push('first');
      throw new Error('no');
    });
    const second = lock.run('a', async () => said.push('second'));
    await lock.run('b', async () => said.push('other'));
    gate.resolve();
    await expect(first).rejects.toThrow('no');
    await second;
    expect(said).toEqual(['other', 'first', 'second']);
  });
});
