import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './errors.ts';

/** How long a write waits for a transaction of another connection to end, in ms, where nothing else is said. */
const PATIENCE = 10_000;
/** How often it looks, in ms: everybody else is served in between. */
const RETRY = 5;

/**
 * Runs writes that arrive in the same turn of the event loop in one transaction: the cost of making a commit durable is
 * shared by all who wait for it. A promise resolves only when its write is on disk. While another connection writes, the
 * group waits, and grows.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #patience: number;
  #waiting: Waiting[] = [];

  constructor(database: DatabaseSync, patience = PATIENCE) {
    this.#database = database;
    this.#patience = patience;
  }

  /**
   * Runs `write` in a transaction; what it returns is its own outcome, what it throws undoes it alone. Rejects with
   * SQLite's own error when another connection does not stop writing.
   */
  run<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.flush());
      const until = performance.now() + this.#patience;
      this.#waiting.push({ write, resolve: resolve as (outcome: unknown) => void, reject, until });
    });
  }

  /** Commits what waits; later, when another connection is writing. */
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
      if (settled.length === 0 && isBusy(error)) {
        this.#flushLater(group, error);
        return;
      }
      for (const { reject } of group) reject(error);
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return;
    }
    for (const settle of settled) settle();
  }

  #flushLater(group: readonly Waiting[], reason: unknown): void {
    const now = performance.now();
    for (const { until, reject } of group) if (until <= now) reject(reason);
    this.#waiting = group.filter(({ until }) => until > now);
    if (this.#waiting.length > 0) setTimeout(() => this.flush(), RETRY);
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
  /** On the clock of `performance`. */
  readonly until: number;
}
