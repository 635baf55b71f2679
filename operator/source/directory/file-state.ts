import type { SourceProblem } from '../port.ts';
import type { Manifest } from './manifest.ts';

/** What is known of one file after a scan. */
export interface FileState {
  readonly path: string;
  /** Any resource might be in it: it cannot be read or parsed, or a document does not tell which resource it is. */
  readonly broken: boolean;
  /** It cannot be read or parsed: `manifests` are those of its last good content. */
  readonly stale: boolean;
  /** There is nothing in it but blanks and comments. */
  readonly empty: boolean;
  readonly manifests: readonly Manifest[];
  readonly problems: readonly SourceProblem[];
  /** The scan (counted from 1) that first saw the present content. */
  readonly since: number;
}
