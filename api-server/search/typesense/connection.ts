import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Client, Errors } from 'typesense';
import { SearchError } from '../errors.ts';

/** Something that a request names is not there: a collection, an alias, a field. */
export class NotFoundError extends Error {}

export interface ConnectionOptions {
  /** Where the server answers, such as `http://typesense:8108`. */
  readonly url: string;
  readonly apiKey: string;
  /** How long one request may take; it is sent twice at most. */
  readonly timeoutSeconds: number;
}

/** One search of a multi-search; the collection is named by its own name, never by an alias. */
export interface TypesenseQuery {
  readonly collection: string;
  /** Empty: everything. */
  readonly filter_by: string;
  readonly per_page: number;
  readonly page?: number;
  readonly sort_by?: string;
  readonly include_fields?: string;
  readonly facet_by?: string;
  readonly max_facet_values?: number;
}

export interface TypesenseAnswer {
  readonly found: number;
  readonly hits: readonly { readonly document: Readonly<Record<string, unknown>> }[];
  readonly facet_counts: readonly { readonly counts: readonly { readonly value: string; readonly count: number }[] }[];
}

/** A document of which whole numbers may be larger than JavaScript's. */
export type TypesenseDocument = Readonly<Record<string, string | number | readonly string[] | readonly bigint[]>>;

/** A larger body is sent in pieces, in bytes. */
const LONGEST_IMPORT = 8 * 2 ** 20;
const CONFLICT = 409;

/**
 * Requests to a Typesense server. They reject with a NotFoundError, with a SearchError `unavailable` when the server
 * fails or is not there, and with an Error when it refuses what is asked, which is a mistake of ours.
 */
export class TypesenseConnection {
  readonly #client: Client;
  readonly #options: ConnectionOptions;
  readonly #agents = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ keepAlive: true })] as const;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#client = new Client({
      nodes: [{ url: options.url.replace(/\/+$/u, '') }],
      apiKey: options.apiKey,
      connectionTimeoutSeconds: options.timeoutSeconds,
      // once more: a connection that was kept may have been closed meanwhile
      numRetries: 1,
      retryIntervalSeconds: 0.1,
      httpAgent: this.#agents[0],
      httpsAgent: this.#agents[1],
      logLevel: 'silent',
    });
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }

  /** Any request of the client. */
  async call<T>(request: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await request(this.#client);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** A search; its parameters go in the body, where a filter may be long. */
  async search(query: TypesenseQuery): Promise<TypesenseAnswer> {
    // Without "exhaustive", newer servers count only some of the values.
    const search = { q: '*', facet_strategy: 'exhaustive', ...query };
    const { results } = await this.call((client) =>
      client.apiCall.post<{ results: (Partial<TypesenseAnswer> & { code?: number; error?: string })[] }>(
        '/multi_search',
        { searches: [search] },
      ),
    );
    const { code, error, found = 0, hits = [], facet_counts = [] } = results[0] ?? {};
    if (error !== undefined) throw this.#failure(code, error);
    return { found, hits, facet_counts };
  }

  /**
   * Documents as a stream, whatever their number. The filter goes in the address: it has to be short.
   * @param filter must not be empty.
   */
  async *export(collection: string, filter: string, fields: string): AsyncGenerator<Record<string, unknown>> {
    const stream = await this.call((client) =>
      client.collections(collection).documents().exportStream({ filter_by: filter, include_fields: fields }),
    );
    // the client's limit ends with the first byte
    const patience = setTimeout(
      () => stream.destroy(new Error('it stopped sending')),
      this.#options.timeoutSeconds * 1e3,
    );
    let rest = '';
    try {
      for await (const chunk of stream.setEncoding('utf8')) {
        patience.refresh();
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
      }
    } catch (error) {
      throw this.#explained(error);
    } finally {
      clearTimeout(patience);
    }
    if (rest !== '') yield JSON.parse(rest) as Record<string, unknown>;
  }

  /** @param action `create` leaves documents as they are that are there already. */
  async import(
    collection: string,
    documents: readonly TypesenseDocument[],
    action: 'create' | 'upsert',
  ): Promise<void> {
    for (const body of bodies(documents)) {
      // not the client's own import: that waits for ever
      const answer = await this.call((client) =>
        client.apiCall.post<string>(
          `/collections/${collection}/documents/import`,
          body,
          { action, dirty_values: 'reject' },
          { 'Content-Type': 'text/plain' },
        ),
      );
      const failed = rowsOf(answer).filter(({ success, code }) => !success && code !== CONFLICT);
      if (failed.length > 0) {
        const reasons = failed.slice(0, 3).map(({ code, error }) => `${code} ${error}`);
        throw new Error(`Typesense refuses ${failed.length} documents of ${collection}: ${reasons.join('; ')}`);
      }
    }
  }

  #explained(error: unknown): Error {
    const { message = '', code = '' } = error as { message?: string; code?: string };
    return this.#failure(error instanceof Errors.TypesenseError ? error.httpStatus : undefined, message || code);
  }

  /** No error carries the request: that has the key. */
  #failure(status: number | undefined, message: string): Error {
    const server = `Typesense at ${this.#options.url}`;
    // newer servers answer 400 where a field is not there
    if (status === 404 || message.includes('Could not find a')) return new NotFoundError(`${server}: ${message}`);
    if (status === 401 || status === 403) {
      return new SearchError('unavailable', `${server} refuses the key: check TYPESENSE_API_KEY`);
    }
    if (status !== undefined && status < 500) return new Error(`${server} refuses a request: ${message}`);
    return new SearchError('unavailable', `${server} did not answer: ${message}`);
  }
}

interface ImportRow {
  readonly success: boolean;
  readonly code?: number;
  readonly error?: string;
}

function rowsOf(answer: string): ImportRow[] {
  return answer
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ImportRow);
}

function bodies(documents: readonly TypesenseDocument[]): string[] {
  const found: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const line of documents.map(lineOf)) {
    length += line.length;
    if (length > LONGEST_IMPORT) {
      found.push([]);
      length = line.length;
    }
    found.at(-1)?.push(line);
  }
  return found.map((lines) => lines.join('\n'));
}

/** JSON with all digits of a bigint. */
function lineOf(document: TypesenseDocument): string {
  const members = Object.entries(document).map(([name, value]) => {
    const isWide = typeof value === 'object' && typeof value[0] === 'bigint';
    return `${JSON.stringify(name)}:${isWide ? `[${value.join()}]` : JSON.stringify(value)}`;
  });
  return `{${members.join()}}`;
}
