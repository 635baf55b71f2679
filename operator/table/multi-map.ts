/** A map from a key to a set of values; a key without values is not in it. */
export class MultiMap<K, V> {
  readonly #sets = new Map<K, Set<V>>();

  add(key: K, value: V): void {
    const set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, new Set([value]));
    else set.add(value);
  }

  delete(key: K, value: V): void {
    const set = this.#sets.get(key);
    set?.delete(value);
    if (set?.size === 0) this.#sets.delete(key);
  }

  get(key: K): ReadonlySet<V> {
    return this.#sets.get(key) ?? new Set();
  }

  [Symbol.iterator](): Iterator<[K, ReadonlySet<V>]> {
    return this.#sets[Symbol.iterator]();
  }
}
