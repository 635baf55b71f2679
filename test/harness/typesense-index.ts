import { randomUUID } from 'node:crypto';
import {
  type TypesenseOptions,
  TypesenseSearchIndex,
} from '../../api-server/search/typesense/typesense-search-index.ts';
import type { OpenedIndex } from '../contract/search/fixture.ts';
import { TYPESENSE_API_KEY } from './typesense-server.ts';

export interface TypesenseIndex extends OpenedIndex {
  readonly index: TypesenseSearchIndex;
  readonly prefix: string;
  again(options?: Partial<TypesenseOptions>): Promise<TypesenseSearchIndex>;
}

/** An empty index under names of its own; closing it drops all that it has made. */
export async function openTypesenseIndex(
  url: string,
  options: Partial<TypesenseOptions> = {},
): Promise<TypesenseIndex> {
  const prefix = options.prefix ?? `test-${randomUUID()}`;
  const opened: TypesenseSearchIndex[] = [];
  const again = async (more: Partial<TypesenseOptions> = {}) => {
    const index = await TypesenseSearchIndex.open({ url, apiKey: TYPESENSE_API_KEY, prefix, ...options, ...more });
    opened.push(index);
    return index;
  };
  return {
    index: await again(),
    prefix,
    again,
    close: async () => {
      await Promise.all(opened.map((index) => index.close()));
      await dropAll(url, prefix);
    },
  };
}

async function dropAll(url: string, prefix: string): Promise<void> {
  const { aliases } = (await typesenseRequest(url, 'GET', '/aliases')) as { aliases: { name: string }[] };
  const collections = await typesenseCollections(url, prefix);
  const paths = [
    ...aliases.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => `/aliases/${name}`),
    ...collections.map((name) => `/collections/${name}`),
  ];
  for (const path of paths) await typesenseRequest(url, 'DELETE', path);
}

/** Names of the collections that an index has. */
export async function typesenseCollections(url: string, prefix: string): Promise<string[]> {
  const collections = (await typesenseRequest(url, 'GET', '/collections')) as { name: string }[];
  return collections.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

/** A request past the adapter. */
export async function typesenseRequest(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-TYPESENSE-API-KEY': TYPESENSE_API_KEY },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}
