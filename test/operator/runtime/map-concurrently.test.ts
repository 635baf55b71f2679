import { describe, expect, it } from '@jest/globals';
import { mapConcurrently } from '../../../operator/runtime/map-concurrently.ts';

describe('mapping several at a time', () => {
  it('keeps the order of the results and the limit', async () => {
    let atWork = 0;
    let most = 0;
    const results = await mapConcurrently([5, 1, 3, 2], 2, async (item) => {
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setTimeout(resolve, item));
      atWork -= 1;
      return item * 2;
    });
    expect(results).toEqual([10, 2, 6, 4]);
    expect(most).toBe(2);
  });

  it('begins nothing more after an error', async () => {
    const begun: number[] = [];
    const run = mapConcurrently([1, 2, 3], 1, async (item) => {
      begun.push(item);
      if (item === 2) throw new Error('two');
    });
    await expect(run).rejects.toThrow('two');
    expect(begun).toEqual([1, 2]);
  });
});
