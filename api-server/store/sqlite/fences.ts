import type { DatabaseSync } from 'node:sqlite';
import { refuseLower, supersedes } from '../fences.ts';
import type { Fence, FenceStore } from '../port.ts';
import type { GroupCommit } from './group-commit.ts';

export class SqliteFences implements FenceStore {
  readonly #commits: GroupCommit;
  readonly #statements;

  constructor(database: DatabaseSync, commits: GroupCommit) {
    this.#commits = commits;
    this.#statements = {
      get: database.prepare('SELECT * FROM fences WHERE source = ? AND shard = ?'),
      put: database.prepare('INSERT OR REPLACE INTO fences VALUES (?, ?, ?, ?, ?)'),
      list: database.prepare('SELECT * FROM fences ORDER BY source, shard'),
    };
  }

  async raise(fence: Fence): Promise<void> {
    // It stands already with every write of a term but the first: no transaction for that.
    if (!this.#isRaise(fence)) return;
    await this.#commits.run(() => {
      const { source, shard, lease, created, transitions } = fence;
      if (this.#isRaise(fence)) this.#statements.put.run(source, shard, lease, created, transitions);
    });
  }

  async list(): Promise<Fence[]> {
    return this.#statements.list.all().map(readFence);
  }

  /** For the transaction of a write. @throws StoreError `fenced` when a higher fence stands. */
  check(fence: Fence): void {
    const row = this.#statements.get.get(fence.source, fence.shard);
    if (row !== undefined) refuseLower(fence, readFence(row));
  }

  #isRaise(fence: Fence): boolean {
    const row = this.#statements.get.get(fence.source, fence.shard);
    if (row === undefined) return true;
    const standing = readFence(row);
    refuseLower(fence, standing);
    return supersedes(fence, standing);
  }
}

function readFence(row: Record<string, unknown>): Fence {
  return {
    source: String(row.source),
    shard: String(row.shard),
    lease: String(row.lease),
    created: Number(row.created),
    transitions: Number(row.transitions),
  };
}
