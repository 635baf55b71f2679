import { type Collected, collectManifests } from '../../operator/source/directory/collect.ts';
import type { FileState } from '../../operator/source/directory/file-state.ts';
import { parseFile } from '../../operator/source/directory/parse-file.ts';
import type { SourceProblem } from '../../operator/source/port.ts';
import type { FileSet } from './file-set.ts';
import { type CliDefinition, type CliEntity, isCliFile, parseCliFile, type ReadSchema } from './parse-cli-file.ts';

/** The reason of a problem: a folder does not exist. */
export const FOLDER_MISSING = 'FolderMissing';

/** What files ask for. */
export interface Inputs {
  readonly manifests: Collected['manifests'];
  /** Files that hold no list of the command line: only with such files anything can count as deleted. */
  readonly manifestFiles: readonly FileState[];
  readonly unreadable: readonly string[];
  /** Globs that mean no file. */
  readonly unmatched: readonly string[];
  /** Whether there is a file of the command line, even a broken one. */
  readonly hasCliFiles: boolean;
  readonly definitions: readonly CliDefinition[];
  readonly entities: readonly CliEntity[];
  readonly problems: readonly SourceProblem[];
}

/** Parses files, manifests and files of the command line alike; what cannot be parsed is among the problems. */
export function readInputs({ files, unreadable, unmatched, place }: FileSet, readSchema: ReadSchema): Inputs {
  const lists = files.filter(({ text }) => isCliFile(text)).map((file) => parseCliFile(file, place, readSchema));
  const manifestFiles = files
    .filter(({ text }) => !isCliFile(text))
    .map(({ path, shown, text }): FileState => {
      const { malformed, broken, empty, manifests, problems } = parseFile(text, path, shown);
      return { path, broken, stale: malformed, empty, manifests, problems, since: 1 };
    });
  const { manifests, duplicates } = collectManifests(manifestFiles);
  return {
    manifests,
    manifestFiles,
    unreadable: unreadable.map(({ location }) => location),
    unmatched,
    hasCliFiles: lists.length > 0,
    definitions: lists.flatMap(({ definitions }) => definitions),
    entities: lists.flatMap(({ entities }) => entities),
    problems: [
      ...unreadable.map(
        ({ location, message, missing }): SourceProblem => ({
          severity: 'error',
          reason: missing ? FOLDER_MISSING : 'Unreadable',
          location,
          message,
        }),
      ),
      ...manifestFiles.flatMap(({ problems }) => problems),
      ...lists.flatMap(({ problems }) => problems),
      ...duplicates,
    ],
  };
}
