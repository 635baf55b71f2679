import { StoreError } from './errors.ts';
import type { Fence } from './port.ts';

/**
 * Whether a fence takes the place of the one that stands. Terms of one Lease are counted; of two Leases the one that was
 * created later wins, and the one that stands when both were created at the same time.
 */
export function supersedes(fence: Fence, standing: Fence): boolean {
  if (fence.lease === standing.lease) return fence.transitions > standing.transitions;
  return fence.created > standing.created;
}

/** @throws StoreError `fenced` when the fence is another than the one that stands, and does not supersede it. */
export function refuseLower(fence: Fence, standing: Fence): void {
  const isSame = fence.lease === standing.lease && fence.transitions === standing.transitions;
  if (isSame || supersedes(fence, standing)) return;
  const shard = fence.shard === '' ? '' : `, shard ${fence.shard},`;
  throw new StoreError(
    'fenced',
    `Another operator leads source ${fence.source}${shard} now (${termOf(standing)}); ` +
      `a write of the one that led before (${termOf(fence)}) is refused`,
  );
}

function termOf({ lease, transitions }: Fence): string {
  return `Lease ${lease}, transitions ${transitions}`;
}
