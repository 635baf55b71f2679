import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs writes that arrive in the same turn of the event loop in one transaction: the cost of making a commit durable is
 * shared by all who wait for it. A promise resolves only when its write is on disk.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  #waiting: Waiting[] = [];

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs `write` in a transaction; what it returns is its own outcome, what it throws undoes it alone. */
  run<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.flush());
      this.#waiting.push({ write, resolve: resolve as (outcome: unknown) => void, reject });
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    const settled: (() => void)[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const entry of group) settled.push(this.#runOne(entry));
      this.#database.exec('COMMIT');
    } catch (error) {
      for (const { reject } of group) reject(error);
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return;
    }
    for (const settle of settled) settle();
  }

  #runOne({ write, resolve, reject }: Waiting): () => void {
    this.#database.exec('SAVEPOINT one');
    try {
      const outcome = write();
      this.#database.exec('RELEASE one');
      return () => resolve(outcome);
    } catch (error) {
      // some errors (a full disk) have rolled all of it back already
      if (!this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO one');
      this.#database.exec('RELEASE one');
      return () => reject(error);
    }
  }
}

interface Waiting {
  readonly write: () => unknown;
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (error: unknown) => void;
}
