import type { Logger } from 'pino';
import { listed } from '../../process/text.ts';
import { aroundCalls } from '../around-calls.ts';
import { SearchError } from '../search/errors.ts';
import type { SearchIndex } from '../search/port.ts';
import { isDamaged, StoreError } from './errors.ts';
import type { Store } from './port.ts';

/** Names of what is damaged, in a line that people read. */
const MOST_NAMED = 5;
/** Damaged things that are remembered one by one. */
const MOST_KNOWN = 1_000;

/** What a look at the whole of an embedded file has found. */
export interface FoundDamage {
  readonly store: readonly string[];
  readonly index: readonly string[];
  readonly damaged: readonly { readonly about: string; readonly reason: string }[];
  readonly damagedCount: number;
}

/**
 * How the store and its index are, as the calls to them and a look at the file have shown. A fault of the file stops
 * writes, which a restore would lose, and searches, which could find too little. A damaged document stops only what
 * meets it.
 */
export class StoreHealth {
  readonly #log: Logger;
  #writes = 'ok';
  #isChecking = false;
  #faults: readonly string[] = [];
  #indexFaults: readonly string[] = [];
  readonly #damaged = new Set<string>();
  #damagedCount = 0;
  #unindexed: readonly string[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  /** `ok`, or why nothing can be written. */
  get writes(): string {
    return this.#faults.length > 0 ? 'the store is damaged' : this.#writes;
  }

  /** `ok`, or what is damaged. */
  get data(): string {
    const parts = [
      ...(this.#faults.length > 0 ? [`the file of the store: ${named(this.#faults)}`] : []),
      ...(this.#indexFaults.length > 0 ? [`the search index: ${named(this.#indexFaults)}`] : []),
      ...(this.damaged > 0 ? [`${this.damaged} documents or records: ${named([...this.#damaged])}`] : []),
    ];
    if (parts.length > 0) return `damaged: ${parts.join('; ')}. \`proplane doctor\` says how to restore`;
    return this.#isChecking ? 'ok so far; the file is being checked' : 'ok';
  }

  /** How many documents and records are known to be damaged. */
  get damaged(): number {
    return Math.max(this.#damagedCount, this.#damaged.size);
  }

  /** Whether the store itself cannot be relied on. */
  get isBroken(): boolean {
    return this.#faults.length > 0;
  }

  checking(): void {
    this.#isChecking = true;
  }

  /** The whole file was looked at. */
  checked({ store, index, damaged, damagedCount }: FoundDamage): void {
    this.#isChecking = false;
    this.#faults = store;
    this.#indexFaults = index;
    this.#damagedCount = damagedCount;
    for (const { about, reason } of damaged) this.#know(about, reason);
    if (store.length + index.length > 0) this.#log.error({ store, index }, 'the file of the store is damaged');
  }

  /** A document or record is damaged; it is told once. */
  tellDamaged(error: StoreError): void {
    if (error.about !== undefined) this.#know(error.about, error.message);
  }

  /** Entities that cannot be brought into the index, because their documents are damaged, and that it does not have. */
  setUnindexed(urns: readonly string[]): void {
    this.#unindexed = urns;
  }

  /** The same store; what its calls show is noted here. */
  watch(store: Store): Store {
    return {
      entities: this.#watched(store.entities),
      records: this.#watched(store.records),
      fences: this.#watched(store.fences),
      ping: () => store.ping(),
      close: () => store.close(),
    };
  }

  /** The same index, which refuses to answer when it could leave something out. */
  watchSearch(search: SearchIndex): SearchIndex {
    const whole =
      <A, R>(ask: (asked: A) => Promise<R>) =>
      async (asked: A): Promise<R> => {
        this.#refuseIncomplete();
        return await ask(asked);
      };
    return {
      apply: (changes) => search.apply(changes),
      versions: (urns) => search.versions(urns),
      scan: (after, limit) => search.scan(after, limit),
      fields: () => search.fields(),
      search: whole((asked) => search.search(asked)),
      aggregate: whole((asked) => search.aggregate(asked)),
      rebuild: (id) => search.rebuild(id),
      abandonRebuild: (id) => search.abandonRebuild(id),
      ping: () => search.ping(),
      close: () => search.close(),
    };
  }

  /** @throws SearchError `damaged` */
  #refuseIncomplete(): void {
    const missing = this.#unindexed.length > 0 ? [`it lacks ${named(this.#unindexed)}, which are damaged`] : [];
    const reasons = [...this.#faults, ...this.#indexFaults, ...missing];
    if (reasons.length === 0) return;
    const message = `The search could find too little: ${named(reasons)}. \`proplane doctor\` says how to restore`;
    throw new SearchError('damaged', message);
  }

  #watched<T extends object>(target: T): T {
    return aroundCalls(target, async (name, call) => {
      const isWrite = WRITES.has(name);
      if (isWrite && this.isBroken) throw brokenStore(this.#faults);
      try {
        const outcome = await call();
        if (isWrite && hasWritten(outcome)) this.#writes = 'ok';
        return outcome;
      } catch (error) {
        if (error instanceof StoreError) this.#note(error);
        throw error;
      }
    });
  }

  #note(error: StoreError): void {
    if (error.code === 'unwritable') this.#writes = error.message;
    if (isDamaged(error)) this.tellDamaged(error);
    else if (error.code === 'damaged' && !this.#faults.includes(error.message)) {
      this.#faults = [...this.#faults, error.message];
      this.#log.error({ err: error }, 'the file of the store is damaged');
    }
  }

  #know(about: string, reason: string): void {
    if (this.#damaged.has(about) || this.#damaged.size >= MOST_KNOWN) return;
    this.#damaged.add(about);
    this.#log.error({ about, reason }, 'what is stored is damaged');
  }
}

/** Methods of the port whose outcome says whether anything was written. */
const WRITES: ReadonlySet<string> = new Set(['insert', 'replace', 'put', 'delete', 'purge']);

/** What found nothing to write says nothing about the disk. */
function hasWritten(outcome: unknown): boolean {
  return outcome === true || typeof outcome === 'string' || (typeof outcome === 'number' && outcome > 0);
}

function brokenStore(faults: readonly string[]): StoreError {
  return new StoreError(
    'damaged',
    `The store is damaged (${named(faults)}): nothing is written, because a restore would lose it. \`proplane doctor\` says how`,
  );
}

function named(items: readonly string[]): string {
  return listed(items, MOST_NAMED);
}
