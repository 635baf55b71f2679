import type { TypesenseConnection } from './connection.ts';

/** Which columns collections have; new ones come with the documents, none goes while the collection is there. */
export class KnownColumns {
  readonly #connection: TypesenseConnection;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(connection: TypesenseConnection) {
    this.#connection = connection;
  }

  async has(collection: string, column: string): Promise<boolean> {
    return this.#known.get(collection)?.has(column) === true || (await this.of(collection)).has(column);
  }

  async of(collection: string): Promise<ReadonlySet<string>> {
    const { fields } = await this.#connection.call((client) => client.collections(collection).retrieve());
    const columns = new Set(fields.map(({ name }) => name));
    this.#known.set(collection, columns);
    return columns;
  }

  /** After a request has met something that is not there. */
  forget(): void {
    this.#known.clear();
  }
}
