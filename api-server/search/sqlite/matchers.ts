import type { DatabaseSync } from 'node:sqlite';

/** The SQL function `search_matches(text, n)`: whether a text meets the nth pattern of the request that is being answered. */
export class Matchers {
  #ofRequest: readonly ((text: string) => boolean)[] = [];

  constructor(database: DatabaseSync) {
    database.function('search_matches', { deterministic: true }, (text, at) =>
      this.#ofRequest[Number(at)]?.(String(text)) ? 1 : 0,
    );
  }

  /** Of the request that comes now: a connection answers one at a time. */
  set(matchers: readonly ((text: string) => boolean)[]): void {
    this.#ofRequest = matchers;
  }
}
