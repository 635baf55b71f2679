/**
 * Which leader a write comes from. The server keeps the highest one of each source and shard and refuses the writes of a
 * lower one: `transitions` counts the leaders of one Lease; another Lease wins when it was created later.
 */
export interface Fence {
  /** Shard of the source; the same text in every leader of it. Empty when the source is one. */
  readonly shard: string;
  /** `metadata.uid` of the Lease. */
  readonly lease: string;
  /** When the Lease was created: milliseconds since 1970-01-01T00:00:00Z. */
  readonly created: number;
  /** `spec.leaseTransitions` of the Lease. */
  readonly transitions: number;
}

/** The header that carries the fence of a source's leader. */
export function fenceHeader({
  source,
  shard,
  lease,
  created,
  transitions,
}: { readonly source: string } & Fence): Record<string, string> {
  const parts = { source, shard, lease, created: String(created), transitions: String(transitions) };
  return { 'x-proplane-fence': new URLSearchParams(parts).toString() };
}
