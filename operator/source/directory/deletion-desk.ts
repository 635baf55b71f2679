import { type ResourceKey, resourceKey } from '../../../model/resource/identity.ts';
import { counted, listed } from '../../../process/text.ts';
import type { FormerResources } from '../../catalogue/former-resources.ts';
import type { HeldDeletions } from '../../catalogue/held-deletions.ts';
import type { SourceProblem } from '../port.ts';
import { type FileEvidence, judgeMissing, type Missing, type Patience } from './deletion-guard.ts';
import type { Entry } from './entry.ts';
import type { Scan } from './scanner.ts';

type Entries = ReadonlyMap<ResourceKey, Entry>;

export interface DeletionDeskOptions {
  readonly heldDeletions: HeldDeletions;
  readonly former: FormerResources;
  readonly patience: Patience;
  /** All that is missing at the first judgement is confirmed. */
  readonly confirmFirst: boolean;
  /** Makes the path that people are told. */
  show(path: string): string;
  /** The path of a location that people are told. */
  pathOf(location: string): string;
  /** When a file was last seen to differ, in milliseconds. */
  changed(path: string): number | undefined;
}

/**
 * Decides after each scan what counts as deleted, and asks a person when it is too much at once. What is asked about is
 * held until its manifest is back or somebody confirms, also over a restart.
 */
export class DeletionDesk {
  readonly #options: DeletionDeskOptions;
  #confirmFirst: boolean;
  /** Why each is held; also those that are confirmed, until they are gone. */
  readonly #held = new Map<ResourceKey, string>();
  readonly #confirmed = new Set<ResourceKey>();
  #isSettled = false;
  /** What was last published; `undefined`: nothing in this life. */
  #published: string | undefined;
  /** When the next judgement is due because a manifest will have been missing long enough then, in milliseconds. */
  nextDue: number | undefined;

  constructor(options: DeletionDeskOptions) {
    this.#options = options;
    this.#confirmFirst = options.confirmFirst;
  }

  /** Recalls what was held before this life. */
  async recall(): Promise<void> {
    for (const { id, reason, confirmed } of await this.#options.heldDeletions.list()) {
      this.#held.set(resourceKey(id), reason);
      if (confirmed) this.#confirmed.add(resourceKey(id));
    }
  }

  /**
   * @returns the resources that count as deleted from now on, and what there is to say about the others.
   * @throws AnyHttpError
   */
  async judge(
    scan: Scan,
    entries: Entries,
    now: number,
  ): Promise<{ deleted: ResourceKey[]; problems: SourceProblem[] }> {
    const absent = [...entries].filter(([, { missingSince }]) => missingSince !== undefined);
    const waiting = absent.filter(([, { deleting }]) => !deleting);
    if (this.#confirmFirst) for (const [key] of waiting) this.#confirmed.add(key);
    this.#confirmFirst = false;
    this.#dropAllBut(new Set(absent.map(([key]) => key)));
    const { deleted, held, doubtful, emptied, nextDue } = judgeMissing({
      now,
      patience: this.#options.patience,
      missing: waiting.map(([key, entry]) => this.#missing(key, entry, now)),
      deleting: absent.length - waiting.length,
      present: entries.size - absent.length,
      unreadable: scan.unreadable,
      broken: scan.files.filter(({ broken }) => broken),
      file: this.#filesOf(scan),
      held: new Set(this.#held.keys()),
      confirmed: this.#confirmed,
    });
    this.nextDue = nextDue;
    const reason = `${absent.length} of ${entries.size} manifests were missing together`;
    for (const key of held) if (!this.#held.has(key)) this.#held.set(key, reason);
    const unseen = deleted.filter((key) => entries.get(key)?.lastSeen === 0 && !this.#confirmed.has(key));
    const why = await this.#whyAsk(unseen, entries);
    if (why !== undefined) for (const key of unseen) this.#held.set(key, why);
    const { show } = this.#options;
    const isHeld = (key: ResourceKey): boolean => this.#held.has(key) && !this.#confirmed.has(key);
    return {
      deleted: deleted.filter((key) => !isHeld(key)),
      problems: [...doubts(doubtful, show), ...empties(emptied, show), ...questions(this.#asked())],
    };
  }

  async #whyAsk(keys: readonly ResourceKey[], entries: Entries): Promise<string | undefined> {
    const ids = keys.flatMap((key) => entries.get(key)?.id ?? []);
    return ids.length === 0 ? undefined : await this.#options.former.whyAsk(ids);
  }

  /** What is back is held no more. */
  #dropAllBut(absent: ReadonlySet<ResourceKey>): void {
    for (const key of [...this.#held.keys(), ...this.#confirmed]) {
      if (absent.has(key)) continue;
      this.#held.delete(key);
      this.#confirmed.delete(key);
    }
  }

  /** What waits for somebody, with the reason. */
  #asked(): [key: ResourceKey, reason: string][] {
    return [...this.#held].filter(([key]) => !this.#confirmed.has(key)).sort();
  }

  #missing(key: ResourceKey, { manifest, recorded, paths, lastSeen, missingSince }: Entry, now: number): Missing {
    const location = recorded?.location;
    const path = manifest?.path ?? (location === undefined ? undefined : this.#options.pathOf(location));
    return { key, paths, path, lastSeen, since: missingSince ?? now };
  }

  #filesOf({ files }: Scan): (path: string) => FileEvidence | undefined {
    let empties: ReadonlySet<string> | undefined;
    return (path) => {
      const changed = this.#options.changed(path);
      if (changed === undefined) return undefined;
      empties ??= new Set(files.filter(({ empty }) => empty).map((file) => file.path));
      return { changed, empty: empties.has(path) };
    };
  }

  /** Publishes what is held and takes note of what somebody has confirmed; the next judgement goes by it. */
  async ask(entries: Entries): Promise<void> {
    const { heldDeletions } = this.#options;
    const held = [...this.#held].sort();
    const text = JSON.stringify(held);
    if (text !== this.#published) {
      await heldDeletions.publish(
        held.flatMap(([key, reason]) => {
          const id = entries.get(key)?.id;
          return id === undefined ? [] : [{ id, reason }];
        }),
      );
      this.#published = text;
    }
    if (!this.#isSettled) await this.#settle(entries);
    if (this.#asked().length === 0) return;
    for (const { id, confirmed } of await heldDeletions.list()) {
      if (confirmed && this.#held.has(resourceKey(id))) this.#confirmed.add(resourceKey(id));
    }
  }

  /** Once nothing is left that was there before this life and about which nothing is decided yet. */
  async #settle(entries: Entries): Promise<void> {
    const isOpen = ([key, { lastSeen, deleting }]: [ResourceKey, Entry]): boolean =>
      lastSeen === 0 && !deleting && !this.#held.has(key);
    if ([...entries].some(isOpen)) return;
    await this.#options.former.settled();
    this.#isSettled = true;
  }
}

function doubts(
  doubtful: ReadonlyMap<string, readonly ResourceKey[]>,
  show: (path: string) => string,
): SourceProblem[] {
  return [...doubtful].map(([path, keys]) => ({
    severity: 'error',
    reason: 'DeletionsWait',
    location: show(path),
    message: `until this can be read, nothing is deleted whose manifest is missing: ${listed(keys)}`,
  }));
}

function empties(
  emptied: ReadonlyMap<string, readonly ResourceKey[]>,
  show: (path: string) => string,
): SourceProblem[] {
  return [...emptied].map(([path, keys]) => ({
    severity: 'error',
    reason: 'EmptyFile',
    location: show(path),
    message: `is empty; what was in it stays as it is until the file is removed or filled again: ${listed(keys)}`,
  }));
}

function questions(asked: readonly (readonly [key: ResourceKey, reason: string])[]): SourceProblem[] {
  const how = '`proplane resources confirm-deletions`, or a start with CONFIRM_DELETIONS=true';
  return [...Map.groupBy(asked, ([, reason]) => reason)].map(([reason, group]) => {
    const keys = group.map(([key]) => key);
    const what = `${counted(keys.length, 'deletion')} held until somebody confirms`;
    return { severity: 'error', reason: 'DeletionsHeld', message: `${what}: ${reason}: ${listed(keys)} (${how})` };
  });
}
