import type { ResourceKey } from '../model/resource/identity.ts';
import { affectedBy } from '../operator/reconcile/affected.ts';
import { inOrder } from '../operator/reconcile/in-order.ts';
import { resourceName } from '../operator/reconcile/ownership.ts';
import { Reconciler } from '../operator/reconcile/reconciler.ts';
import { KeyedLock } from '../process/keyed-lock.ts';
import type { Overlay } from './catalogue/overlay.ts';
import type { PlanSource } from './plan-source.ts';

/** Resources that write against each other come to no rest: after so many rounds it is enough. */
const MOST_ROUNDS = 20;

/**
 * Runs the operator's own reconciler over a source and a catalogue in memory, one resource at a time, until another
 * round over all of them changes nothing. Deletions begin when the rest is at rest, as with the directory source, which
 * waits a second.
 * @param deleted the resources that count as deleted.
 * @returns names of resources that would write again and again; none: it came to rest.
 * @throws what kept the base from being read.
 */
export async function dryRun(source: PlanSource, overlay: Overlay, deleted: readonly ResourceKey[]): Promise<string[]> {
  const { table: index } = source;
  const pending = new Set<ResourceKey>();
  /** Names of resources that wrote in this round. */
  const writing = new Set<string>();
  const wake = (keys: Iterable<ResourceKey>): void => {
    for (const key of keys) pending.add(key);
  };
  const tools = {
    source,
    catalogue: overlay,
    index,
    locks: new KeyedLock(),
    adoptsUnowned: true,
  };
  const reconciler = new Reconciler({
    tools,
    source,
    wake,
    say: () => undefined,
    // Its status says so.
    onFault: () => undefined,
    onUnavailable: () => undefined,
    onFenced: () => undefined,
  });

  const unsubscribe = index.subscribe(({ key, before, after, isNews }) => {
    if (!isNews) return;
    // Who inherits from one that is deleted goes first, so that the plan names who gets it.
    wake(affectedBy(before, after, index));
    if (after !== undefined) pending.add(key);
  });

  async function drain(): Promise<void> {
    // A resource that is woken while it is looked at is looked at again, at the end of the line.
    const mostLooks = MOST_ROUNDS * (index.keys().length + 1);
    for (let looks = 0; pending.size > 0 && looks < mostLooks; looks += 1) {
      const [key = ''] = pending;
      pending.delete(key);
      const entry = index.get(key);
      if (entry === undefined) continue;
      const { location } = entry;
      overlay.writer = { resource: resourceName(entry.id), ...(location === undefined ? {} : { location }) };
      const { writes } = overlay;
      await reconciler.reconcile(key, 0);
      if (overlay.writes !== writes) writing.add(resourceName(entry.id));
      if (overlay.fault !== undefined) throw overlay.fault;
    }
  }

  async function settle(): Promise<string[]> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      writing.clear();
      const [writes, reports] = [overlay.writes, source.reports];
      wake(inOrder(index.keys()));
      await drain();
      if (overlay.writes === writes && source.reports === reports && pending.size === 0) return [];
    }
    return [...writing].sort();
  }

  let restless = await settle();
  for (const key of deleted) source.beginDeletion(key);
  if (deleted.length > 0) restless = await settle();
  unsubscribe();
  return restless;
}
