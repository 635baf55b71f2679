import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { AUDIT_DAYS, MAX_AUDIT_ENTRIES } from '../../model/limits.ts';
import { shorten } from '../../model/violation.ts';
import type { AuditEntry } from '../../model/wire/access.ts';
import type { CallOff, Clock } from '../../process/clock.ts';
import { allRecords } from '../store/pages.ts';
import type { Store } from '../store/port.ts';

/**
 * Who has done what about access, and what was refused. Entries are written behind the requests that they are about, a
 * second later at most: a request neither waits for it nor fails with it, and a crash loses that second.
 */

/** Records of entries. The ids are in the order of time, the newest first. */
const AUDIT = 'audit';

/** What is noted of a deed, or of an attempt. */
export interface Deed extends Omit<AuditEntry, 'id' | 'at'> {
  /** URN; empty where nobody has shown who he is. */
  readonly actor: string;
}

const DELAY = 1_000;
/** What is refused to one actor again within this time is counted in one entry, in ms. */
const TOGETHER = 60_000;
/** Entries of refused requests within that time; beyond them, those of all actors are counted in one. */
const MOST_REFUSED = 100;
/** Entries that wait to be written; beyond them they are counted as lost. */
const MOST_WAITING = 1_000;
/** So many entries are written before it is looked again whether there are too many. */
const LOOK_AFTER = 1_000;
const LONGEST_TEXT = 500;
const REMOVED_AT_ONCE = 500;

interface Waiting {
  entry: AuditEntry;
  /** Of the record, once it is written. */
  revision?: string;
  /** How often it happened again, and how often when it was written. */
  again: number;
  written: number;
}

export class AuditLog {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #most: number;
  /** Tells apart what several processes write in one moment. */
  readonly #process = randomBytes(4).toString('hex');
  readonly #waiting: Waiting[] = [];
  /** By actor and action. */
  readonly #refused = new Map<string, Waiting>();
  #lost = 0;
  #count = 0;
  #sinceLook = LOOK_AFTER;
  #callOff: CallOff | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param most entries that stay. */
  constructor(store: Store, clock: Clock, log: Logger, most = MAX_AUDIT_ENTRIES) {
    this.#most = most;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  note(deed: Deed): void {
    if (deed.outcome === 'refused') this.#noteRefused(deed);
    else this.#enqueue(this.#entryOf(deed));
    this.#callOff ??= this.#clock.after(DELAY, () => void this.#turn());
  }

  /** Entries behind the one of the id `after`, the newest first. */
  async list(filter: {
    readonly count: number;
    readonly after?: string | undefined;
    readonly actor?: string | undefined;
    readonly action?: string | undefined;
  }): Promise<{ readonly entries: AuditEntry[]; readonly next?: string }> {
    const { count, after, actor, action } = filter;
    const entries: AuditEntry[] = [];
    for await (const { body } of allRecords<AuditEntry>(this.#store, AUDIT, after)) {
      if (actor !== undefined && body.actor !== actor) continue;
      if (action !== undefined && body.action !== action) continue;
      const last = entries.at(-1);
      if (entries.length === count && last !== undefined) return { entries, next: last.id };
      entries.push(body);
    }
    return { entries };
  }

  /** Writes what waits, as it is now. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes what waits; nothing is noted any more. */
  async stop(): Promise<void> {
    this.#callOff?.();
    await this.flush();
  }

  /** Removes what is older than {@link AUDIT_DAYS}, and what is more than how many may stay. */
  async removeOld(): Promise<void> {
    const { records } = this.#store;
    const oldest = stampOf(this.#clock.now() - AUDIT_DAYS * 24 * 3_600_000);
    let after: string | undefined = oldest;
    if (this.#sinceLook >= LOOK_AFTER) {
      this.#sinceLook = 0;
      let left = this.#most;
      for await (const { id } of allRecords(this.#store, AUDIT)) {
        left -= 1;
        if (left === 0 && id < oldest) after = id;
      }
    }
    for (;;) {
      const old = await records.list(AUDIT, after, REMOVED_AT_ONCE);
      if (old.length === 0) return;
      for (const { id, revision } of old) await records.delete(AUDIT, id, revision);
    }
  }

  #noteRefused(deed: Deed): void {
    const key = `${deed.actor}\n${deed.action}`;
    const others = { actor: '', action: deed.action, outcome: deed.outcome, detail: 'several actors' } satisfies Deed;
    const isFull = !this.#refused.has(key) && this.#refused.size >= MOST_REFUSED;
    const place = isFull ? `\n\n${deed.action}` : key;
    const known = this.#refused.get(place);
    if (known !== undefined) {
      known.again += 1;
      return;
    }
    const waiting = this.#enqueue(this.#entryOf(isFull ? others : deed));
    if (waiting !== undefined) this.#refused.set(place, waiting);
  }

  #enqueue(entry: AuditEntry): Waiting | undefined {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost += 1;
      return undefined;
    }
    const waiting: Waiting = { entry, again: 0, written: 0 };
    this.#waiting.push(waiting);
    return waiting;
  }

  #entryOf({ actor, action, subject, outcome, address, detail }: Deed): AuditEntry {
    const at = Math.floor(this.#clock.now());
    this.#count += 1;
    const inOrder = String(999_999 - (this.#count % 1_000_000)).padStart(6, '0');
    return {
      id: `${stampOf(at)}-${inOrder}-${this.#process}`,
      at,
      actor: shorten(actor, LONGEST_TEXT),
      action,
      ...(subject === undefined ? {} : { subject: shorten(subject, LONGEST_TEXT) }),
      outcome,
      ...(address === undefined ? {} : { address: shorten(address, LONGEST_TEXT) }),
      ...(detail === undefined ? {} : { detail: shorten(detail, LONGEST_TEXT) }),
    };
  }

  async #turn(): Promise<void> {
    await this.flush();
    const isOver = this.#waiting.length === 0 && this.#refused.size === 0;
    this.#callOff = isOver ? undefined : this.#clock.after(DELAY, () => void this.#turn());
  }

  async #write(): Promise<void> {
    try {
      this.#tellLost();
      for (let waiting = this.#waiting[0]; waiting !== undefined; waiting = this.#waiting[0]) {
        await this.#put(waiting);
        this.#waiting.shift();
        this.#sinceLook += 1;
      }
      const now = this.#clock.now();
      for (const [key, waiting] of this.#refused) {
        if (Math.abs(now - waiting.entry.at) < TOGETHER) continue;
        if (waiting.again > waiting.written) await this.#put(waiting);
        this.#refused.delete(key);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'the audit log cannot be written; it is tried again');
    }
  }

  #tellLost(): void {
    if (this.#lost === 0 || this.#waiting.length >= MOST_WAITING) return;
    const detail = `${this.#lost} entries were lost: too many came at one time, or the store was away`;
    this.#lost = 0;
    this.#enqueue(this.#entryOf({ actor: '', action: 'auditLog', outcome: 'refused', detail }));
  }

  async #put(waiting: Waiting): Promise<void> {
    const { entry, again, revision } = waiting;
    const counted = again === 0 ? [] : [`and ${again} more within a minute`];
    const detail = [...(entry.detail === undefined ? [] : [entry.detail]), ...counted].join('; ');
    const body = { ...entry, ...(detail === '' ? {} : { detail }) };
    const next = await this.#store.records.put(AUDIT, entry.id, body, revision);
    waiting.written = again;
    if (next !== undefined) waiting.revision = next;
  }
}

/** The later, the smaller as a text. @param time in ms since 1970. */
function stampOf(time: number): string {
  return String(9_999_999_999_999 - Math.floor(time)).padStart(13, '0');
}
