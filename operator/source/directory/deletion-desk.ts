import type { ResourceId, ResourceKey } from '../../../model/resource/identity.ts';
import { resourceKey } from '../../../model/resource/identity.ts';
import { listed } from '../../../process/text.ts';
import type { HeldDeletions } from '../../catalogue/held-deletions.ts';
import type { SourceProblem } from '../port.ts';
import { judgeMissing } from './deletion-guard.ts';
import type { Entry } from './entry.ts';
import type { Scan } from './scanner.ts';

type Entries = ReadonlyMap<ResourceKey, Entry>;

/** Decides after each scan what counts as deleted, and asks a person when it is too much at once. */
export class DeletionDesk {
  readonly #heldDeletions: HeldDeletions;
  readonly #show: (path: string) => string;
  #confirmFirst: boolean;
  #confirmed = new Set<ResourceKey>();
  #held: readonly ResourceKey[] = [];
  /** What was last published; `undefined`: nothing in this life, and who knows what in the one before. */
  #published: string | undefined;
  #reason = '';
  /** When the next judgement is due because a manifest will have been missing long enough then, in milliseconds. */
  nextDue: number | undefined;

  /** @param confirmFirst all that is missing at the first judgement is confirmed. */
  constructor(heldDeletions: HeldDeletions, show: (path: string) => string, confirmFirst: boolean) {
    this.#heldDeletions = heldDeletions;
    this.#show = show;
    this.#confirmFirst = confirmFirst;
  }

  /** @returns the resources that count as deleted from now on, and what there is to say about the others. */
  judge(scan: Scan, entries: Entries, now: number): { deleted: ResourceKey[]; problems: SourceProblem[] } {
    const absent = [...entries].filter(([, { missingSince }]) => missingSince !== undefined);
    const waiting = absent.filter(([, { deleting }]) => !deleting);
    if (this.#confirmFirst) this.#confirmed = new Set(waiting.map(([key]) => key));
    this.#confirmFirst = false;
    this.#confirmed = this.#confirmed.intersection(new Set(waiting.map(([key]) => key)));
    const { deleted, held, doubtful, nextDue } = judgeMissing({
      now,
      missing: waiting.map(([key, { paths, lastSeen, missingSince = now }]) => ({
        key,
        paths,
        lastSeen,
        since: missingSince,
      })),
      deleting: absent.length - waiting.length,
      present: entries.size - absent.length,
      unreadable: scan.unreadable,
      broken: scan.files.filter(({ broken }) => broken),
      confirmed: this.#confirmed,
    });
    this.nextDue = nextDue;
    this.#held = held.sort();
    this.#reason = `${absent.length} of ${entries.size} manifests are missing together`;
    return { deleted, problems: [...doubts(doubtful, this.#show), ...question(this.#held, this.#reason)] };
  }

  /** Publishes what is held and takes note of what somebody has confirmed; the next judgement goes by it. */
  async ask(entries: Entries): Promise<void> {
    const text = this.#held.join('\n');
    if (text !== this.#published) {
      const ids = this.#held.map((key) => entries.get(key)?.id).filter((id): id is ResourceId => id !== undefined);
      await this.#heldDeletions.publish(ids, this.#held.length === 0 ? '' : this.#reason);
      this.#published = text;
    }
    if (this.#held.length === 0) return;
    const held = new Set(this.#held);
    for (const id of await this.#heldDeletions.confirmed()) {
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

function question(held: readonly ResourceKey[], reason: string): SourceProblem[] {
  if (held.length === 0) return [];
  const how = 'POST /resources/confirm-deletions, or a start with CONFIRM_DELETIONS=true';
  const message = `${reason}; nothing is deleted until somebody confirms (${how}): ${listed(held)}`;
  return [{ severity: 'error', reason: 'DeletionsHeld', message }];
}
