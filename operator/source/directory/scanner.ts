import type { Clock } from '../../../process/clock.ts';
import { compileGlobs, type Globs } from '../../../process/globs.ts';
import type { SourceProblem } from '../port.ts';
import { type Collected, collectManifests } from './collect.ts';
import { FileReader } from './file-reader.ts';
import type { FileState } from './file-state.ts';
import { type Walk, walk } from './walk.ts';

/** What one look at the files found. */
export interface Scan {
  /** Counted from 1. */
  readonly number: number;
  readonly manifests: Collected['manifests'];
  readonly files: readonly FileState[];
  /** Roots that do not exist, folders and files that cannot be looked at. */
  readonly unreadable: readonly string[];
  readonly problems: readonly SourceProblem[];
}

export class Scanner {
  readonly #globs: Globs;
  readonly #reader: FileReader;
  readonly #show: (path: string) => string;
  readonly #clock: Clock;
  #count = 0;
  #last: { readonly scan: Scan; readonly unreadable: string } | undefined;
  /** What looking for files has cost of the machine's time, whatever was new in them, in milliseconds. */
  walkMs = 0;

  /** @param show makes the path that people are told. */
  constructor(globs: readonly string[], workingFolder: string, show: (path: string) => string, clock: Clock) {
    this.#globs = compileGlobs(globs, workingFolder);
    this.#reader = new FileReader(show);
    this.#show = show;
    this.#clock = clock;
  }

  /** When a file that the last scan found was last seen to differ, in milliseconds. */
  changed(path: string): number | undefined {
    return this.#reader.changed(path);
  }

  /** @returns the same as the last time when everything is as it was. */
  async scan(): Promise<Scan> {
    this.#count += 1;
    const now = this.#clock.monotonic();
    const begun = performance.now();
    const found = await walk(this.#globs);
    this.walkMs = performance.now() - begun;
    const files = await this.#reader.read(found.files, this.#count, now);
    const unreadable = JSON.stringify([...found.unreadable]);
    if (this.#last?.scan.files !== files || this.#last.unreadable !== unreadable)
      this.#last = { scan: this.#scanOf(files, found), unreadable };
    return this.#last.scan;
  }

  #scanOf(files: readonly FileState[], found: Walk): Scan {
    const { manifests, duplicates } = collectManifests(files);
    const folders = [...found.unreadable].map(([folder, why]) => folderMissing(this.#show(folder), why));
    const problems = [...folders, ...files.flatMap((file) => file.problems), ...duplicates];
    return { number: this.#count, manifests, files, unreadable: [...found.unreadable.keys()], problems };
  }
}

function folderMissing(folder: string, why: string): SourceProblem {
  return { severity: 'error', reason: 'FolderMissing', location: folder, message: why };
}
