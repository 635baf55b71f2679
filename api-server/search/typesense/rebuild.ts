import type { IndexChange, IndexedVersion, Rebuild } from '../port.ts';
import { NotFoundError } from './connection.ts';
import type { TypesenseEntries } from './entries.ts';
import type { Generations } from './generations.ts';

/** A generation that is being filled. The aliases tell with each call whether it still is. */
export class TypesenseRebuild implements Rebuild {
  readonly state: Rebuild['state'];
  readonly #generation: string;
  readonly #generations: Generations;
  readonly #entries: TypesenseEntries;

  constructor(state: Rebuild['state'], generation: string, generations: Generations, entries: TypesenseEntries) {
    this.state = state;
    this.#generation = generation;
    this.#generations = generations;
    this.#entries = entries;
  }

  apply(changes: readonly IndexChange[]): Promise<void> {
    return this.#meanwhile(() => this.#entries.apply(changes));
  }

  versions(urns: readonly string[]): Promise<IndexedVersion[]> {
    return this.#meanwhile(() => this.#entries.versions(urns));
  }

  scan(after: string | undefined, limit: number): Promise<IndexedVersion[]> {
    return this.#meanwhile(() => this.#entries.scan(after, limit));
  }

  fields(): Promise<string[]> {
    return this.#meanwhile(() => this.#entries.fields());
  }

  async finish(): Promise<void> {
    const { current } = await this.#generations.read();
    if (current === this.#generation) return;
    await this.#meanwhile(async () => {
      await this.#entries.ping();
      await this.#generations.finishRebuild(this.#generation);
    });
  }

  async #meanwhile<T>(work: () => Promise<T>): Promise<T> {
    const ended = new Error('The rebuild of the search index is finished or abandoned');
    const { rebuilt } = await this.#generations.read();
    if (rebuilt !== this.#generation) throw ended;
    try {
      return await work();
    } catch (error) {
      throw error instanceof NotFoundError ? ended : error;
    }
  }
}
