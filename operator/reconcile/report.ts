import type { ResourceKey } from '../../model/resource/identity.ts';
import type { Cascade } from '../catalogue/catalogue.ts';

/** What a reconcile finds out and does, beside its outcome. */
export interface Report {
  urn?: string;
  /** Entities that hold a value of the property. */
  holders?: number;
  targets?: number;
  applied?: number;
  conflicts?: number;
  /** What the resource's annotation says that asks for a reconcile now. */
  lastHandledReconcileAt?: string;
  tokenId?: string;
  /** RFC 3339, as is the next. */
  expiresAt?: string;
  renewsAt?: string;
  secretName?: string;
  /** Of a property that is being deleted. */
  cascade?: Required<Cascade>;
  /** What was written, for people. */
  readonly written: string[];
  /** Differences that nobody wished, found and repaired. */
  readonly drift: string[];
  /** What existed before, belonged to somebody else or to nobody, and was taken over. */
  readonly adopted: string[];
  /** What would have been written, of a resource that is only observed. */
  differences?: readonly string[];
  /** Properties whose values were written or removed: how many hold one is to be counted anew. */
  readonly recount: Set<string>;
  /** Other resources that have to look again because of this. */
  readonly affected: Set<ResourceKey>;
}
