import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type AuthSettings, type OpenedAuth, openAuth } from '../../api-server/auth/open-auth.ts';
import { CatalogError, valid } from '../../api-server/catalog/errors.ts';
import { findEntities } from '../../api-server/catalog/find/find-entities.ts';
import { resolveQuery } from '../../api-server/catalog/find/resolve-query.ts';
import { Indexer } from '../../api-server/catalog/indexing/indexer.ts';
import { Lease } from '../../api-server/catalog/indexing/lease.ts';
import type { CatalogParts } from '../../api-server/catalog/parts.ts';
import { readEntity, WHOLE } from '../../api-server/catalog/read/read-entities.ts';
import { Registry } from '../../api-server/catalog/registry/registry.ts';
import { CatalogRequest } from '../../api-server/catalog/request.ts';
import { patchEntities, writeEntities } from '../../api-server/catalog/write/change-entities.ts';
import { deleteEntity } from '../../api-server/catalog/write/delete-entity.ts';
import { ensureJob } from '../../api-server/jobs/job.ts';
import { SqliteSearchIndex } from '../../api-server/search/sqlite/sqlite-search-index.ts';
import { StoreHealth } from '../../api-server/store/health.ts';
import type { EntityDocument } from '../../api-server/store/port.ts';
import { SqliteStore } from '../../api-server/store/sqlite/store.ts';
import { parseAspects } from '../../model/entity/parse-aspects.ts';
import type { EntityWrite, WriteCondition } from '../../model/entity/write.ts';
import { type EntityTypeInfo, findEntityType } from '../../model/entity-type.ts';
import { parsePatch } from '../../model/patch.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { datasetUrn, parseUrn, structuredPropertyUrn } from '../../model/urn.ts';
import type { OwnerMark } from '../../model/wire/owner-mark.ts';
import type { Clock } from '../../process/clock.ts';
import { KeyedLock } from '../../process/keyed-lock.ts';
import { AUTH_OFF } from './auth.ts';
import { openedWhenAsked } from './opened-when-asked.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TestClock } from './test-clock.ts';

export const TIMEOUT = 30_000;

export interface WriteOptions {
  readonly condition?: WriteCondition;
  readonly onlyNew?: boolean;
  readonly owner?: OwnerMark;
}

export type Operation = { op: string; path: string; value?: unknown };

/** A value as tests write it. */
export type Plain = string | number;

/**
 * The catalogue over a real store and index in a folder of its own, with a clock that only tests move. Its methods are
 * the use cases in short; properties go by their qualified names.
 */
export class TestCatalog {
  readonly parts: CatalogParts;
  /** Stands still but for what a test does with it. */
  readonly clock = new TestClock();
  readonly #auth: AuthSettings;
  readonly #opened: OpenedAuth[] = [];
  readonly #close: () => Promise<void>;

  private constructor(
    parts: Omit<CatalogParts, keyof Clock | 'registry' | 'auth' | 'ensureJob'>,
    auth: AuthSettings,
    close: () => Promise<void>,
  ) {
    const { now, monotonic, after } = this.clock;
    const registry = new Registry(parts.store, now);
    this.#auth = auth;
    this.parts = {
      ...parts,
      now,
      monotonic,
      after,
      registry,
      auth: this.#open({ ...parts, ...this.clock, registry }),
      ensureJob: (job) => ensureJob(parts.store, job, now()),
    };
    this.#close = close;
  }

  static async open(settings: Partial<CatalogParts['settings']> = {}, auth = AUTH_OFF): Promise<TestCatalog> {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'proplane.db');
    const store = SqliteStore.open({ path });
    const search = openedWhenAsked(() => SqliteSearchIndex.open({ path }));
    const parts = {
      store,
      search,
      log: pino({ level: 'silent' }),
      ensureJob: async () => undefined,
      written: () => {},
      jobsChanged: () => {},
      backendStates: () => [],
      storeHealth: new StoreHealth(pino({ level: 'silent' })),
      turns: new KeyedLock(),
      settings: {
        namespaceWord: 'datahub',
        entityTypesCheck: 'enforce' as const,
        requestTimeout: TIMEOUT,
        ...settings,
      },
    };
    return new TestCatalog(parts, auth, async () => {
      await search.close();
      await store.close();
      await folder.remove();
    });
  }

  async close(): Promise<void> {
    for (const auth of this.#opened) await auth.stop();
    await this.#close();
  }

  #open(base: Parameters<typeof openAuth>[1]): OpenedAuth {
    const auth = openAuth(this.#auth, base);
    this.#opened.push(auth);
    return auth;
  }

  /** The same catalogue as another replica has it: one store, caches of its own. */
  replica(changes: Partial<CatalogParts> = {}): CatalogParts {
    const { now } = this.parts;
    const store = changes.store ?? this.parts.store;
    const registry = new Registry(store, now);
    const auth = this.#open({ ...this.parts, store, registry });
    return { ...this.parts, registry, auth, turns: new KeyedLock(), ...changes };
  }

  /** A new request each time. */
  get context(): CatalogRequest {
    return this.request();
  }

  request(parts = this.parts): CatalogRequest {
    const caller = { actor: 'urn:li:corpuser:ada', groups: [], roles: [], by: 'none' as const, unlimited: true };
    return new CatalogRequest(parts, { caller, deadline: this.clock.monotonic() + TIMEOUT });
  }

  entityWrite(
    urn: string,
    aspects: Record<string, unknown>,
    { condition = 'upsert', onlyNew = false, owner }: WriteOptions = {},
  ): EntityWrite {
    const parsed = parseUrn(urn);
    const mark = owner === undefined ? {} : { owner };
    return { urn: parsed, condition, onlyNew, ...valid(parseAspects(this.parts.settings, parsed, aspects)), ...mark };
  }

  async write(
    urn: string,
    aspects: Record<string, unknown>,
    options: WriteOptions = {},
    parts = this.parts,
  ): Promise<EntityDocument> {
    const [document] = await writeEntities(parts, [this.entityWrite(urn, aspects, options)], this.context);
    if (document === undefined) throw new Error('nothing was written');
    return document;
  }

  batch(writes: Record<string, Record<string, unknown>>, parts = this.parts): Promise<EntityDocument[]> {
    const all = Object.entries(writes).map(([urn, aspects]) => this.entityWrite(urn, aspects));
    return writeEntities(parts, all, this.context);
  }

  /** Defines a property; a string for datasets when nothing else is said. */
  define(name: string, rest: Record<string, unknown> = {}, options: WriteOptions = {}): Promise<EntityDocument> {
    return this.write(property(name), { propertyDefinition: definitionBody(name, rest) }, options);
  }

  dataset(name: string): Promise<EntityDocument> {
    return this.write(dataset(name), { datasetProperties: { name } });
  }

  assign(urn: string, values: Record<string, readonly Plain[]>, options: WriteOptions = {}): Promise<EntityDocument> {
    return this.write(urn, { structuredProperties: assignmentsBody(values) }, { condition: 'update', ...options });
  }

  async patch(
    urn: string,
    operations: readonly Operation[],
    options: WriteOptions = {},
    parts = this.parts,
  ): Promise<EntityDocument> {
    const checked = parsePatch(operations);
    if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
    const condition = options.condition === 'upsert' ? 'upsert' : 'update';
    const mark = options.owner === undefined ? {} : { owner: options.owner };
    const patches = [{ aspect: 'structuredProperties', patch: checked.value }];
    const [document] = await patchEntities(parts, [{ urn: parseUrn(urn), patches, condition, ...mark }], this.context);
    if (document === undefined) throw new Error('nothing was written');
    return document;
  }

  softDelete(name: string): Promise<EntityDocument> {
    return this.write(property(name), { status: { removed: true } });
  }

  restore(name: string): Promise<EntityDocument> {
    return this.write(property(name), { status: { removed: false } });
  }

  delete(urn: string): Promise<void> {
    return deleteEntity(this.parts, parseUrn(urn), this.context);
  }

  /** The visible assignments as `name=value,value`, in their order; `undefined` when the entity does not exist. */
  async values(urn: string, parts = this.parts): Promise<string[] | undefined> {
    const view = await readEntity(this.request(parts), parseUrn(urn), new Set(['structuredProperties']));
    if (view === undefined) return undefined;
    const properties = view.aspects.structuredProperties?.value.properties as {
      propertyUrn: string;
      values: TypedValue[];
    }[];
    return (properties ?? []).map(
      ({ propertyUrn, values }) => `${propertyUrn.slice(property('').length)}=${values.map(short)}`,
    );
  }

  /** Every assignment that is stored, visible or not. */
  async stored(urn: string): Promise<string[]> {
    const document = await this.parts.store.entities.get(urn);
    return (document?.assignments ?? []).map(
      ({ propertyUrn, values }) => `${propertyUrn.slice(property('').length)}=${values.map(short)}`,
    );
  }

  /** The description of a dataset, by its name. */
  async description(name: string): Promise<unknown> {
    const document = await this.parts.store.entities.get(dataset(name));
    return document?.aspects.editableDatasetProperties?.value.description;
  }

  /** How many batches are written down as not yet carried out. */
  async batchRecords(): Promise<number> {
    return (await this.parts.store.records.list('batch', undefined, 10)).length;
  }

  /** URNs that a query finds among entities of a type. */
  async find(query: string, entityType = 'dataset'): Promise<string[]> {
    const request = this.context;
    const { entities } = await findEntities(
      request,
      {
        entityTypes: [findEntityType(entityType) as EntityTypeInfo],
        condition: await resolveQuery(query, await request.registry()),
        count: 100,
        order: 'ascending',
        includeRemoved: false,
      },
      WHOLE,
    );
    return entities.map(({ urn }) => urn);
  }

  indexer(parts = this.parts): Indexer {
    const { store } = parts;
    return new Indexer(parts, new Lease({ store, name: 'indexer', duration: 3000, clock: parts, exclusive: true }));
  }

  /** Lets an indexer work until the outbox is empty. */
  async index(): Promise<void> {
    const indexer = this.indexer();
    indexer.start();
    while ((await this.parts.store.entities.countDirty()) > 0) await sleep(2);
    await indexer.stop();
  }
}

export function property(name: string): string {
  return name === '' ? 'urn:li:structuredProperty:' : structuredPropertyUrn(name);
}

export function dataset(name: string): string {
  return datasetUrn('hive', name, 'PROD');
}

/** Aspects that give a dataset a description. */
export function describing(text: string): Record<string, object> {
  return { editableDatasetProperties: { description: text } };
}

export function definitionBody(name: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return { qualifiedName: name, valueType: 'string', entityTypes: ['dataset', 'schemaField'], ...rest };
}

export function assignmentsBody(values: Record<string, readonly Plain[]>): { properties: object[] } {
  return { properties: Object.entries(values).map(([name, list]) => assignmentBody(name, ...list)) };
}

export function assignmentBody(
  name: string,
  ...values: readonly Plain[]
): { propertyUrn: string; values: TypedValue[] } {
  return {
    propertyUrn: property(name),
    values: values.map((value) => (typeof value === 'number' ? { double: value } : { string: value })),
  };
}

export function add(name: string, ...values: readonly Plain[]): Operation {
  return { op: 'add', path: `/properties/${property(name)}`, value: assignmentBody(name, ...values) };
}

export function remove(name: string): Operation {
  return { op: 'remove', path: `/properties/${property(name)}` };
}

export function mark(name: string, rest: Partial<OwnerMark> = {}): OwnerMark {
  return { source: 'git', kind: 'DatasetProperties', namespace: 'shop', name, deletionPolicy: 'Remove', ...rest };
}

/** What a use case refused, as `code: message`. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CatalogError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('it was not refused');
}

/** `target` with some methods replaced; the rest works as before, private fields and all. */
export function override<T extends object>(target: T, changes: Partial<T>): T {
  return new Proxy(target, {
    get(inner, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const value: unknown = Reflect.get(inner, name);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}

function short(value: TypedValue): string {
  return 'double' in value ? String(value.double) : value.string;
}
