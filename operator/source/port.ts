import type { ResourceId } from '../../model/resource/identity.ts';
import type { Resource } from '../../model/resource/resource.ts';
import type { ResourceStatus } from '../../model/resource/status.ts';
import type { Violation } from '../../model/violation.ts';
import type { ResourceTable } from '../table/object-table.ts';

/**
 * Where resources come from. The reconciler knows nothing else about a folder or a cluster. A resource that was deleted
 * stays in the table, with `deleting`, until its deletion is finalized: that is the finalizer, whatever form it has.
 */
export interface ResourceSource {
  /** Names the source in owner marks: it acts only on its own. */
  readonly name: string;
  /**
   * Takes the first complete look and goes on watching. `owned`: the resources that have owner marks of this source; one
   * of them that is not found any more was deleted meanwhile. It may be tried again when it rejects.
   */
  start(owned: readonly ResourceId[]): Promise<void>;
  stop(): Promise<void>;
  /** What is known now; it tells of changes. */
  readonly table: ResourceTable;
  /** What is wrong outside any one resource, such as a file that cannot be read. */
  problems(): SourceProblem[];
  /** Tells when the problems are others. @returns how to stop listening. */
  onProblems(listener: () => void): () => void;
  /**
   * Makes sure that a deletion will be noticed; resolves before anything is written for the resource.
   * @throws SourceError
   */
  protect(id: ResourceId): Promise<void>;
  /** Keeps a status where people look for it. It is in the table at once; storing it is retried until it succeeds. */
  reportStatus(id: ResourceId, status: ResourceStatus): Promise<void>;
  /**
   * Lets a deleted resource go, and none that has its name by now. Not called before what its deletion policy asks for is
   * done. @throws SourceError
   */
  finalized(resource: Pick<SourceResource, 'id' | 'uid'>): Promise<void>;
}

export interface SourceResource {
  readonly id: ResourceId;
  /** Tells it from others that have its name before or after it; absent: the source cannot. */
  readonly uid?: string;
  readonly wish: Wish;
  /** Grows with each change of the spec, from 1. */
  readonly generation: number;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly created: number;
  /** Deleted, and waiting to be finalized. */
  readonly deleting: boolean;
  /** Deleted, and others want to finish with it first: their finalizers. */
  readonly awaited?: readonly string[];
  /** Gone without having been finalized, since somebody took that right away: nothing it has made may be touched. */
  readonly abandoned?: true;
  /** Another operator of the same source works on it; it is known for the sake of references and conflicts. */
  readonly elsewhere?: true;
  /** Where it is written, such as `resources/retention.yaml:12`, for messages. */
  readonly location?: string;
  /** As last reported, also before a restart. */
  readonly status?: ResourceStatus;
}

/** What the manifest says. */
export type Wish =
  | { readonly kind: 'valid'; readonly resource: Resource }
  | { readonly kind: 'invalid'; readonly violations: readonly LocatedViolation[] }
  /** The manifest is not there (now), and this process has never seen it. */
  | { readonly kind: 'unknown' };

export interface LocatedViolation extends Violation {
  /** Place of the very line, if the source can tell. */
  readonly location?: string;
}

/** A source could not do what it was asked; it is tried again. */
export class SourceError extends Error {
  /** One CamelCase word. */
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SourceError';
    this.reason = reason;
  }
}

export interface SourceProblem {
  /** `note`: nothing to be done about it. */
  readonly severity: 'error' | 'note';
  /** One CamelCase word. */
  readonly reason: string;
  readonly message: string;
  readonly location?: string;
}
