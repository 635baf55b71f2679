import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type PropertyState, propertyStateOf } from '../../../model/entity/property-state.ts';
import { changeRecord } from '../../store/change-record.ts';
import { allRecords, namedEntities } from '../../store/pages.ts';
import type { EntityDocument, Store } from '../../store/port.ts';

/**
 * What every replica has to know at once: which definitions there are, their epochs, and which are soft deleted; and the
 * records by which access is decided (tokens, accounts, policies). A small
 * registry record is read with each request; what is cached is valid for the record's generation only. A change first
 * enters its URN in the record (caches are bypassed for it), then writes, then raises the generation and takes the URN
 * out in one update, and only then answers.
 */

/** A property that has a definition. */
export interface DefinedProperty extends PropertyState {
  readonly urn: string;
  readonly incarnation: string;
}

/** Which definition has a search name: a record whose id is that name. */
export interface SearchNameClaim {
  readonly urn: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly claimedAt: number;
}

export const SEARCH_NAME_RECORDS = 'searchName';

const KIND = 'registry';
const ID = 'registry';

interface RegistryBody {
  readonly generation: number;
  readonly changing: readonly { readonly urn: string; readonly change: string; readonly since: number }[];
}

const EMPTY: RegistryBody = { generation: 0, changing: [] };

interface Cache {
  readonly generation: number;
  readonly properties: Map<string, DefinedProperty>;
  readonly searchNames: Map<string, string>;
  /** By kind and id. */
  readonly records: LRUCache<string, { readonly body: unknown }>;
  /** All of a kind. */
  readonly kinds: Map<string, readonly unknown[]>;
}

/** Records that are remembered for one generation: far more than callers that ask at a time. */
const REMEMBERED_RECORDS = 20_000;

export class Registry {
  readonly #store: Store;
  readonly #now: () => number;
  #cache: Cache = emptyCache(-1);

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** The registry as it is now: one view for all reads of a request (`CatalogRequest`), one for each attempt of a write. */
  async view(): Promise<RegistryView> {
    const body = (await this.#store.records.get<RegistryBody>(KIND, ID))?.body ?? EMPTY;
    if (body.generation > this.#cache.generation) this.#cache = emptyCache(body.generation);
    const cache = body.generation === this.#cache.generation ? this.#cache : emptyCache(body.generation);
    return new RegistryView(this.#store, cache, new Set(body.changing.map(({ urn }) => urn)));
  }

  /** Runs `work`, which changes the definitions or statuses of `urns`, so that no replica sees an old state after it. */
  async change<T>(urns: readonly string[], work: () => Promise<T>): Promise<T> {
    const change = randomUUID();
    const since = this.#now();
    await this.#update((body) => ({
      ...body,
      changing: [...body.changing, ...urns.map((urn) => ({ urn, change, since }))],
    }));
    try {
      return await work();
    } finally {
      await this.#update((body) => ({
        generation: body.generation + 1,
        changing: body.changing.filter((entry) => entry.change !== change),
      }));
    }
  }

  /**
   * Takes out what a crashed replica left behind.
   * @param isOver whether a change that began then (ms) cannot be under way any more.
   */
  async sweep(isOver: (since: number) => boolean): Promise<void> {
    const body = (await this.#store.records.get<RegistryBody>(KIND, ID))?.body ?? EMPTY;
    if (!body.changing.some(({ since }) => isOver(since))) return;
    await this.#update((current) => ({
      generation: current.generation + 1,
      changing: current.changing.filter(({ since }) => !isOver(since)),
    }));
  }

  async #update(next: (body: RegistryBody) => RegistryBody): Promise<void> {
    const place = { kind: KIND, id: ID };
    await changeRecord(this.#store.records, place, (body: RegistryBody | undefined) => next(body ?? EMPTY));
  }
}

/** How a record is named where the registry says what is being changed. */
export function recordKey(kind: string, id: string): string {
  return `${kind}:${id}`;
}

/** Definitions, search names and records of access as one request sees them. */
export class RegistryView {
  readonly #store: Store;
  readonly #cache: Cache;
  readonly #changing: ReadonlySet<string>;
  /** What this view has said of those that are being changed: it goes on saying so. */
  readonly #said = new Map<string, DefinedProperty | undefined>();
  readonly #saidNames = new Map<string, string | undefined>();

  constructor(store: Store, cache: Cache, changing: ReadonlySet<string>) {
    this.#store = store;
    this.#cache = cache;
    this.#changing = changing;
  }

  /** States of those of the properties that have a definition, soft deleted or not. */
  async properties(urns: Iterable<string>): Promise<Map<string, DefinedProperty>> {
    const found = new Map<string, DefinedProperty>();
    const unknown: string[] = [];
    for (const urn of new Set(urns)) {
      const known = this.#changing.has(urn) ? this.#said : this.#cache.properties;
      if (!known.has(urn)) unknown.push(urn);
      const state = known.get(urn);
      if (state !== undefined) found.set(urn, state);
    }
    if (unknown.length === 0) return found;
    const loaded = new Map<string, DefinedProperty | undefined>();
    for await (const document of namedEntities(this.#store.entities, unknown))
      loaded.set(document.urn, propertyState(document));
    for (const urn of unknown) {
      const state = loaded.get(urn);
      if (this.#changing.has(urn)) this.#said.set(urn, state);
      if (state === undefined) continue;
      // Only what there is: callers may ask for any number of names that there are not.
      if (!this.#changing.has(urn)) this.#cache.properties.set(urn, state);
      found.set(urn, state);
    }
    return found;
  }

  /** The property whose definition has the search name, if any has. */
  async propertyBySearchName(searchName: string): Promise<DefinedProperty | undefined> {
    const known = this.#changing.size > 0 ? this.#saidNames : this.#cache.searchNames;
    let urn = known.get(searchName);
    if (urn === undefined && !known.has(searchName)) {
      urn = (await this.#store.records.get<SearchNameClaim>(SEARCH_NAME_RECORDS, searchName))?.body.urn;
      if (urn !== undefined && this.#changing.size === 0) this.#cache.searchNames.set(searchName, urn);
      else if (this.#changing.size > 0) this.#saidNames.set(searchName, urn);
    }
    return urn === undefined ? undefined : (await this.properties([urn])).get(urn);
  }

  /**
   * A record that is changed by `Registry.change` with its `recordKey` only. That there is none is remembered, too: ask for
   * what somebody has shown to be his, never for a name that anybody can make up.
   */
  async record<T>(kind: string, id: string): Promise<T | undefined> {
    const key = recordKey(kind, id);
    const isChanging = this.#changing.has(key);
    const known = isChanging ? undefined : this.#cache.records.get(key);
    if (known !== undefined) return known.body as T | undefined;
    const body = (await this.#store.records.get<T>(kind, id))?.body;
    if (!isChanging) this.#cache.records.set(key, { body });
    return body;
  }

  /** All records of a kind, of which there are few, changed likewise. */
  async records<T>(kind: string): Promise<readonly T[]> {
    const isChanging = [...this.#changing].some((key) => key.startsWith(recordKey(kind, '')));
    const known = isChanging ? undefined : this.#cache.kinds.get(kind);
    if (known !== undefined) return known as readonly T[];
    const bodies = (await Array.fromAsync(allRecords<T>(this.#store, kind))).map(({ body }) => body);
    if (!isChanging) this.#cache.kinds.set(kind, bodies);
    return bodies;
  }
}

/** The state of a structured property, from its document; `undefined` when it has no definition. */
export function propertyState(document: EntityDocument | undefined): DefinedProperty | undefined {
  const state = propertyStateOf(document);
  return document && state && { ...state, urn: document.urn, incarnation: document.incarnation };
}

function emptyCache(generation: number): Cache {
  return {
    generation,
    properties: new Map(),
    searchNames: new Map(),
    records: new LRUCache({ max: REMEMBERED_RECORDS }),
    kinds: new Map(),
  };
}
