import { relative } from 'node:path';

/** Files that globs mean, in a folder or in a git revision. */
export interface FileSet {
  readonly files: readonly PlanFile[];
  /** What could not be looked at, with the reason. */
  readonly unreadable: readonly {
    readonly location: string;
    readonly message: string;
    /** It does not exist. */
    readonly missing: boolean;
  }[];
  /** Globs that mean no file. */
  readonly unmatched: readonly string[];
  /** Other files of the same place, such as the schemas that dataset files name; by absolute path. */
  readonly place: FilePlace;
}

export interface FilePlace {
  /** The path of what is there, without links on it. @returns `undefined` when nothing is there. */
  realPath(path: string): string | undefined;
  /** @throws Error when it cannot be read. */
  read(path: string): string;
}

export interface PlanFile {
  /** Absolute; of a git revision, where it would be in the working tree. */
  readonly path: string;
  /** As people are told. */
  readonly shown: string;
  readonly text: string;
}

export interface FilesOptions {
  /** Positive ones and, with `!`, excludes; relative to the working folder. */
  readonly globs: readonly string[];
  readonly workingFolder: string;
}

/** Whether a path is a folder, or lies below it; both without links. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../');
}
