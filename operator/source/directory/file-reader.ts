import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { FileState } from './file-state.ts';
import { parseFile } from './parse-file.ts';
import { isGone, reasonOf } from './walk.ts';

/** A manifest is written by people; anything greater is a file that was not meant. */
const GREATEST_FILE_BYTES = 8 * 2 ** 20;
/** Some file systems tell the time of a change to two seconds only: a younger file may change without its time. */
const TIME_RESOLUTION_MS = 2000;

interface Remembered {
  readonly stats: string;
  /** The stat can be trusted: the file was old enough when it was read. */
  readonly settled: boolean;
  readonly text: string | undefined;
  readonly state: FileState;
}

/** Reads files, and only those that changed since the scan before. */
export class FileReader {
  readonly #show: (path: string) => string;
  #remembered = new Map<string, Remembered>();

  /** @param show makes the path that people are told. */
  constructor(show: (path: string) => string) {
    this.#show = show;
  }

  /** The state of each of the files, in the order of their paths; others are forgotten. */
  async read(files: ReadonlyMap<string, Stats>, scan: number): Promise<FileState[]> {
    const remembered = new Map<string, Remembered>();
    for (const path of [...files.keys()].sort()) {
      const state = await this.#readOne(path, files.get(path)!, scan);
      if (state !== undefined) remembered.set(path, state);
    }
    this.#remembered = remembered;
    return [...remembered.values()].map(({ state }) => state);
  }

  async #readOne(path: string, found: Stats, scan: number): Promise<Remembered | undefined> {
    const before = this.#remembered.get(path);
    const stats = printStats(found);
    if (before?.settled && before.stats === stats) return before;
    if (found.size > GREATEST_FILE_BYTES) return this.#unreadable(path, stats, 'is greater than 8 MiB', before, scan);
    const settled = Date.now() - found.mtimeMs > TIME_RESOLUTION_MS;
    try {
      const text = await readFile(path, 'utf8');
      // Somebody is writing it at this moment: what was read may be half of it. The next scan will see the whole.
      if (printStats(await stat(path)) !== stats)
        return before ?? this.#unreadable(path, '', 'is being written', before, scan);
      if (before?.text === text) return { ...before, stats, settled };
      return { stats, settled, text, state: this.#parse(path, text, before, scan) };
    } catch (error) {
      if (isGone(error)) return undefined;
      return this.#unreadable(path, stats, reasonOf(error), before, scan);
    }
  }

  #parse(path: string, text: string, before: Remembered | undefined, scan: number): FileState {
    const { malformed, broken, manifests, problems } = parseFile(text, path, this.#show(path));
    const kept = malformed ? (before?.state.manifests ?? []) : manifests;
    return { path, broken, stale: malformed, manifests: kept, problems, since: scan };
  }

  #unreadable(path: string, stats: string, reason: string, before: Remembered | undefined, scan: number): Remembered {
    const location = this.#show(path);
    const since = before?.stats === stats ? before.state.since : scan;
    const problems = [{ severity: 'error', reason: 'BrokenFile', location, message: reason } as const];
    const state = { path, broken: true, stale: true, manifests: before?.state.manifests ?? [], problems, since };
    return { stats, settled: false, text: undefined, state };
  }
}

function printStats({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}
