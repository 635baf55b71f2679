/** Runs tasks of one key one after the other, in the order in which they came; tasks of other keys run meanwhile. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise: tail, resolve: release } = Promise.withResolvers<void>();
    this.#tails.set(key, tail);
    await before;
    try {
      return await task();
    } finally {
      release();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
