import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { compareText } from '../../../model/resource/identity.ts';
import type { FileState } from './file-state.ts';
import { parseFile } from './parse-file.ts';
import { isGone, reasonOf } from './walk.ts';

/** A manifest is written by people; anything greater is a file that was not meant. */
const GREATEST_FILE_BYTES = 8 * 2 ** 20;
/** Some file systems tell the time of a change to two seconds only: a younger file may change without its time. */
const TIME_RESOLUTION_MS = 2000;

/** What tells that a file is another one, or has another content. */
const FIELDS = ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const;

interface Remembered {
  /** Absent: the content is older than what the file is now. */
  readonly stats: Stats | undefined;
  /** The stat can be trusted: the file was old enough when it was read. */
  readonly settled: boolean;
  readonly text: string | undefined;
  readonly state: FileState;
}

/** Reads files, and only those that changed since the scan before. */
export class FileReader {
  readonly #show: (path: string) => string;
  #remembered = new Map<string, Remembered>();
  #states: readonly FileState[] = [];
  #changes = new Map<string, number>();

  /** @param show makes the path that people are told. */
  constructor(show: (path: string) => string) {
    this.#show = show;
  }

  /** When a file was last seen to differ from what it was before, in anything; absent: it was not there. */
  changed(path: string): number | undefined {
    return this.#changes.get(path);
  }

  /**
   * The state of each of the files, in the order of their paths: the same array when nothing differs.
   * @param now what `changed` tells of what differs, in milliseconds.
   */
  async read(files: ReadonlyMap<string, Stats>, scan: number, now: number): Promise<readonly FileState[]> {
    const remembered = new Map<string, Remembered>();
    const changes = new Map<string, number>();
    let isSame = true;
    for (const [path, stats] of files) {
      const before = this.#remembered.get(path);
      const isUnchanged = before?.settled === true && areSame(before.stats, stats);
      const found = isUnchanged ? before : await this.#readOne(path, stats, before, scan);
      if (found !== undefined) remembered.set(path, found);
      if (found?.state !== before?.state) isSame = false;
      const isStill = found?.state === before?.state && areSame(before?.stats, stats);
      changes.set(path, (isStill ? this.#changes.get(path) : undefined) ?? now);
    }
    if (!isSame || remembered.size !== this.#remembered.size) {
      const states = Array.from(remembered.values(), ({ state }) => state);
      this.#states = states.sort((one, other) => compareText(one.path, other.path));
    }
    this.#remembered = remembered;
    this.#changes = changes;
    return this.#states;
  }

  async #readOne(
    path: string,
    stats: Stats,
    before: Remembered | undefined,
    scan: number,
  ): Promise<Remembered | undefined> {
    if (stats.size > GREATEST_FILE_BYTES) return this.#unreadable(path, stats, 'is greater than 8 MiB', before, scan);
    // What the file system stamps goes by the calendar of the machine, whatever clock all else goes by.
    const settled = Date.now() - stats.mtimeMs > TIME_RESOLUTION_MS;
    try {
      const text = await readFile(path, 'utf8');
      // Somebody is writing it at this moment: what was read may be half of it. The next scan will see the whole.
      if (!areSame(await stat(path), stats))
        return before ?? this.#unreadable(path, undefined, 'is being written', before, scan);
      if (before?.text === text) return { ...before, stats, settled };
      return { stats, settled, text, state: this.#parse(path, text, before, scan) };
    } catch (error) {
      if (isGone(error)) return undefined;
      return this.#unreadable(path, stats, reasonOf(error), before, scan);
    }
  }

  #parse(path: string, text: string, before: Remembered | undefined, scan: number): FileState {
    const { malformed, broken, empty, manifests, problems } = parseFile(text, path, this.#show(path));
    const kept = malformed ? (before?.state.manifests ?? []) : manifests;
    return { path, broken, stale: malformed, empty, manifests: kept, problems, since: scan };
  }

  #unreadable(
    path: string,
    stats: Stats | undefined,
    reason: string,
    before: Remembered | undefined,
    scan: number,
  ): Remembered {
    const isSame = areSame(before?.stats, stats);
    if (isSame && before?.text === undefined && before?.state.problems[0]?.message === reason) return before;
    const location = this.#show(path);
    const since = isSame && before !== undefined ? before.state.since : scan;
    const problems = [{ severity: 'error', reason: 'BrokenFile', location, message: reason } as const];
    const manifests = before?.state.manifests ?? [];
    const state = { path, broken: true, stale: true, empty: false, manifests, problems, since };
    return { stats, settled: false, text: undefined, state };
  }
}

function areSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return FIELDS.every((field) => one?.[field] === other?.[field]);
}
