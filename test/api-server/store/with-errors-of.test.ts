import { expect, it } from '@jest/globals';
import { withErrorsOf } from '../../../api-server/store/with-errors-of.ts';

it('an object rejects with what is made of its errors and otherwise behaves as before', async () => {
  class Counter {
    #count = 0;
    async next(by: number): Promise<number> {
      if (by < 0) throw new Error('less');
      this.#count += by;
      return this.#count;
    }
  }
  const counter = withErrorsOf(new Counter(), (error) => new Error(`too much ${(error as Error).message}`));
  await expect(counter.next(-1)).rejects.toThrow('too much less');
  expect(await counter.next(2)).toBe(2);
  expect(await counter.next(3)).toBe(5);
});
