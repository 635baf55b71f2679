import type { ResourceId, ResourceKey } from '../../../model/resource/identity.ts';
import { resourceKey } from '../../../model/resource/identity.ts';
import { listed } from '../../../process/text.ts';
import type { HeldDeletions } from '../../catalogue/held-deletions.ts';
import type { SourceProblem } from '../port.ts';
import { type FileEvidence, judgeMissing, type Missing, type Patience } from './deletion-guard.ts';
import type { Entry } from './entry.ts';
import type { Scan } from './scanner.ts';

type Entries = ReadonlyMap<ResourceKey, Entry>;

export interface DeletionDeskOptions {
  readonly heldDeletions: HeldDeletions;
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

/** Decides after each scan what counts as deleted, and asks a person when it is too much at once. */
export class DeletionDesk {
  readonly #options: DeletionDeskOptions;
  #confirmFirst: boolean;
  #confirmed = new Set<ResourceKey>();
  #held: readonly ResourceKey[] = [];
  /** What was last published; `undefined`: nothing in this life, and who knows what in the one before. */
  #published: string | undefined;
  #reason = '';
  /** When the next judgement is due because a manifest will have been missing long enough then, in milliseconds. */
  nextDue: number | undefined;

  constructor(options: DeletionDeskOptions) {
    this.#options = options;
    this.#confirmFirst = options.confirmFirst;
  }

  /** @returns the resources that count as deleted from now on, and what there is to say about the others. */
  judge(scan: Scan, entries: Entries, now: number): { deleted: ResourceKey[]; problems: SourceProblem[] } {
    const absent = [...entries].filter(([, { missingSince }]) => missingSince !== undefined);
    const waiting = absent.filter(([, { deleting }]) => !deleting);
    if (this.#confirmFirst) this.#confirmed = new Set(waiting.map(([key]) => key));
    this.#confirmFirst = false;
    this.#confirmed = this.#confirmed.intersection(new Set(waiting.map(([key]) => key)));
    const { deleted, held, doubtful, emptied, nextDue } = judgeMissing({
      now,
      patience: this.#options.patience,
      missing: waiting.map(([key, entry]) => this.#missing(key, entry, now)),
      deleting: absent.length - waiting.length,
      present: entries.size - absent.length,
      unreadable: scan.unreadable,
      broken: scan.files.filter(({ broken }) => broken),
      file: this.#filesOf(scan),
      confirmed: this.#confirmed,
    });
    this.nextDue = nextDue;
    this.#held = held.sort();
    this.#reason = `${absent.length} of ${entries.size} manifests are missing together`;
    const { show } = this.#options;
    const problems = [...doubts(doubtful, show), ...empties(emptied, show), ...question(this.#held, this.#reason)];
    return { deleted, problems };
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
    const text = this.#held.join('\n');
    if (text !== this.#published) {
      const ids = this.#held.map((key) => entries.get(key)?.id).filter((id): id is ResourceId => id !== undefined);
      await this.#options.heldDeletions.publish(ids, this.#held.length === 0 ? '' : this.#reason);
      this.#published = text;
    }
    if (this.#held.length === 0) return;
    const held = new Set(this.#held);
    for (const id of await this.#options.heldDeletions.confirmed()) {
      if (held.has(resourceKey(id))) this.#confirmed.add(resourceKey(id));
    }
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

function question(held: readonly ResourceKey[], reason: string): SourceProblem[] {
  if (held.length === 0) return [];
  const how = 'POST /resources/confirm-deletions, or a start with CONFIRM_DELETIONS=true';
  const message = `${reason}; nothing is deleted until somebody confirms (${how}): ${listed(held)}`;
  return [{ severity: 'error', reason: 'DeletionsHeld', message }];
}
