import type { ResourceId } from '../../../model/resource/identity.ts';
import type { Wish } from '../port.ts';

/** One resource as one document of one file says it. */
export interface Manifest {
  readonly id: ResourceId;
  readonly wish: Extract<Wish, { kind: 'valid' | 'invalid' }>;
  readonly specHash: string;
  /** Absolute path of the file. */
  readonly path: string;
  /** Of the document's first line, from 1. */
  readonly line: number;
  /** `file:line` for people. */
  readonly location: string;
}
