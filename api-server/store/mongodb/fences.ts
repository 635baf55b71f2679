import type { Collection, Db } from 'mongodb';
import { refuseLower, supersedes } from '../fences.ts';
import type { Fence, FenceStore } from '../port.ts';
import { isDuplicate } from './errors.ts';

interface MongoFence extends Fence {
  /** Source and shard with NUL between them. */
  readonly _id: string;
}

export class MongodbFences implements FenceStore {
  readonly #fences: Collection<MongoFence>;

  constructor(database: Db) {
    this.#fences = database.collection('fences');
  }

  async raise(fence: Fence): Promise<void> {
    for (;;) {
      const standing = await this.#standing(fence);
      if (standing !== undefined) refuseLower(fence, standing);
      if (standing !== undefined && !supersedes(fence, standing)) return;
      if (await this.#replace(fence, standing)) return;
    }
  }

  async list(): Promise<Fence[]> {
    return (await this.#fences.find().sort({ _id: 1 }).toArray()).map(({ _id, ...fence }) => fence);
  }

  /** To be called right before a write. @throws StoreError `fenced` when a higher fence stands. */
  async check(fence: Fence): Promise<void> {
    const standing = await this.#standing(fence);
    if (standing !== undefined) refuseLower(fence, standing);
  }

  async #standing(fence: Fence): Promise<Fence | undefined> {
    return (await this.#fences.findOne({ _id: keyOf(fence) }, { projection: { _id: 0 } })) ?? undefined;
  }

  /** @returns false when another replica was quicker. */
  async #replace(fence: Fence, standing: Fence | undefined): Promise<boolean> {
    const { lease, created, transitions } = fence;
    if (standing !== undefined) {
      const { matchedCount } = await this.#fences.updateOne(
        { _id: keyOf(fence), lease: standing.lease, created: standing.created, transitions: standing.transitions },
        { $set: { lease, created, transitions } },
      );
      return matchedCount === 1;
    }
    try {
      await this.#fences.insertOne({ _id: keyOf(fence), ...fence });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
}

function keyOf({ source, shard }: Fence): string {
  return `${source}\0${shard}`;
}
