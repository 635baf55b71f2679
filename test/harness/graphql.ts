/** An answer of the GraphQL endpoint. */
export interface GraphqlAnswer {
  readonly status: number;
  readonly body: {
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
    readonly data?: any;
    readonly errors?: readonly GraphqlError[];
    readonly extensions?: object;
  };
}

export interface GraphqlError {
  readonly message: string;
  readonly locations: readonly object[];
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: number; readonly type: string; readonly classification: string };
}

/** Whatever can send a POST: the server without a network, or a client of a process. */
interface Poster {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<{ status: number; body: any }>;
}

/** A small GraphQL client for tests. */
export class Graphql {
  readonly #poster: Poster;
  readonly #path: string;

  constructor(poster: Poster, path = '/api/graphql') {
    this.#poster = poster;
    this.#path = path;
  }

  /** Sends a document as it is. */
  send(query: string, variables?: unknown, more: object = {}): Promise<GraphqlAnswer> {
    return this.#poster.post(this.#path, { query, ...(variables === undefined ? {} : { variables }), ...more });
  }

  /** The data of an answer. @throws its errors. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  async data(query: string, variables?: unknown): Promise<any> {
    const { status, body } = await this.send(query, variables);
    if (status !== 200 || body.errors !== undefined) throw new Error(JSON.stringify({ status, body }));
    return body.data;
  }

  /** The one error of an answer, as `code type: message`. */
  async refusal(query: string, variables?: unknown): Promise<string> {
    const { status, body } = await this.send(query, variables);
    const [error] = body.errors ?? [];
    if (status !== 200 || error === undefined || body.errors?.length !== 1) {
      throw new Error(`not refused with one error: ${JSON.stringify({ status, body }).slice(0, 2000)}`);
    }
    return `${error.extensions.code} ${error.extensions.type}: ${error.message}`;
  }

  /** URNs of the entities of the types that meet all filters. */
  async find(filters: readonly object[], input: object = {}): Promise<string[]> {
    const { scrollAcrossEntities } = await this.data(FIND, {
      input: { types: ['DATASET'], query: '*', count: 1000, orFilters: [{ and: filters }], ...input },
    });
    return scrollAcrossEntities.searchResults.map(({ entity }: { entity: { urn: string } }) => entity.urn);
  }

  /** `value=count` of a facet. */
  async facet(field: string, input: object = {}): Promise<string[]> {
    const { aggregateAcrossEntities } = await this.data(AGGREGATE, {
      input: { types: ['DATASET'], query: '*', facets: [field], searchFlags: { maxAggValues: 1000 }, ...input },
    });
    const [facet] = aggregateAcrossEntities.facets;
    return facet.aggregations.map(({ value, count }: { value: string; count: number }) => `${value}=${count}`);
  }
}

const FIND = `query find($input: ScrollAcrossEntitiesInput!) {
  scrollAcrossEntities(input: $input) { searchResults { entity { urn } } }
}`;

const AGGREGATE = `query aggregate($input: AggregateAcrossEntitiesInput!) {
  aggregateAcrossEntities(input: $input) { facets { field aggregations { value count } } }
}`;
