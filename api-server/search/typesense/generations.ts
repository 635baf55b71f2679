import { type Client, type CollectionCreateSchema, Errors } from 'typesense';
import { NotFoundError, type TypesenseConnection } from './connection.ts';
import { ENTRIES, SCHEMA_VERSION, VALUES } from './schema.ts';
import { generationTerm } from './terms.ts';

/** What the aliases say: names of generations. */
export interface CurrentGenerations {
  readonly current: string;
  readonly rebuilt: string | undefined;
}

/** The names of a generation's collections. */
export interface GenerationNames {
  readonly entries: string;
  readonly values: string;
}

/** Of an installation that was never rebuilt. */
const FIRST = generationTerm('first');

/**
 * A generation is a pair of collections, entries and values. Two aliases say which one answers (`…_current`) and which
 * one is being rebuilt (`…_rebuild`); they are read anew with each operation, so every process knows at once. A
 * generation that no alias names is a leftover. So an alias is set before its collections are made, and collections are
 * dropped before their alias, or after it has moved on.
 */
export class Generations {
  readonly #connection: TypesenseConnection;
  readonly #installation: string;
  readonly #prefix: string;
  readonly #current: string;
  readonly #rebuilt: string;

  /** @param prefix of all names; whoever shares a server has one of its own. */
  constructor(connection: TypesenseConnection, prefix: string) {
    this.#connection = connection;
    this.#installation = prefix;
    this.#prefix = `${prefix}_v${SCHEMA_VERSION}`;
    this.#current = `${this.#prefix}_current`;
    this.#rebuilt = `${this.#prefix}_rebuild`;
  }

  /** Makes the first generation where there is none. */
  async read(): Promise<CurrentGenerations> {
    const { aliases } = await this.#connection.call((client) => client.aliases().retrieve());
    const named = new Map(aliases.map(({ name, collection_name }) => [name, this.#generationOf(collection_name)]));
    const current = named.get(this.#current);
    if (current === undefined) {
      await this.#name(this.#current, FIRST);
      await this.create(FIRST);
      return this.read();
    }
    const rebuilt = named.get(this.#rebuilt);
    return { current, rebuilt: rebuilt === current ? undefined : rebuilt };
  }

  names(generation: string): GenerationNames {
    return { entries: `${this.#prefix}_entries_${generation}`, values: `${this.#prefix}_values_${generation}` };
  }

  /** Makes the collections that are not there. @returns whether the entries were not. */
  async create(generation: string): Promise<boolean> {
    const { entries, values } = this.names(generation);
    await this.#createCollection({ ...VALUES, name: values });
    return this.#createCollection({ ...ENTRIES, name: entries });
  }

  /** Makes this the rebuilt generation, in the place of another one. @returns whether its entries are new. */
  async beginRebuild(generation: string): Promise<boolean> {
    // of this name as well: an earlier rebuild of it may have been replaced and not dropped
    await this.dropLeftovers();
    await this.#name(this.#rebuilt, generation);
    await this.dropLeftovers();
    return this.create(generation);
  }

  async abandonRebuild(generation: string): Promise<void> {
    const { entries, values } = this.names(generation);
    for (const name of [entries, values]) await this.#dropCollection(name);
    await this.#dropAlias(this.#rebuilt);
  }

  /** Makes the rebuilt generation the current one. Servers of an earlier schema are not waited for any longer. */
  async finishRebuild(generation: string): Promise<void> {
    await this.#name(this.#current, generation);
    await this.#dropAlias(this.#rebuilt);
    await this.dropLeftovers();
    const collections = await this.#connection.call((client) => client.collections().retrieve());
    for (const { name } of collections) if (this.#isOfEarlierSchema(name)) await this.#dropCollection(name);
  }

  /** Drops the collections that no alias names. */
  async dropLeftovers(): Promise<void> {
    // In this order: what is made after the first look is named by the second.
    const collections = await this.#connection.call((client) => client.collections().retrieve());
    const { current, rebuilt } = await this.read();
    for (const { name } of collections) {
      const generation = this.#generationOf(name);
      if (generation !== undefined && generation !== current && generation !== rebuilt)
        await this.#dropCollection(name);
    }
  }

  #generationOf(collection: string): string | undefined {
    const generation = collection.slice(-FIRST.length);
    const { entries, values } = this.names(generation);
    return collection === entries || collection === values ? generation : undefined;
  }

  async #name(alias: string, generation: string): Promise<void> {
    const { entries } = this.names(generation);
    await this.#connection.call((client) => client.aliases().upsert(alias, { collection_name: entries }));
  }

  #isOfEarlierSchema(collection: string): boolean {
    if (!collection.startsWith(this.#installation)) return false;
    const version = /^_v(\d+)_(?:entries|values)_[0-9a-f]{32}$/u.exec(collection.slice(this.#installation.length))?.[1];
    return Number(version ?? SCHEMA_VERSION) < SCHEMA_VERSION;
  }

  #createCollection(schema: CollectionCreateSchema): Promise<boolean> {
    return this.#connection.call((client) =>
      client
        .collections()
        .create(schema)
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof Errors.ObjectAlreadyExists) return false;
            throw error;
          },
        ),
    );
  }

  async #dropCollection(name: string): Promise<void> {
    await this.#drop((client) => client.collections(name).delete());
  }

  async #dropAlias(name: string): Promise<void> {
    await this.#drop((client) => client.aliases(name).delete());
  }

  /** Another process may have been faster. */
  async #drop(request: (client: Client) => Promise<unknown>): Promise<void> {
    try {
      await this.#connection.call(request);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
}
