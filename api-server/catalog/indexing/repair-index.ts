import type { CatalogParts } from '../parts.ts';
import { dropStrangers, mendEntities } from './mend-index.ts';

/**
 * Compares the whole index with the store and mends what differs. Needed because a slow write can still arrive after the
 * indexer that sent it has lost its lease, and because an engine can lose its data.
 * @param between runs after each page, so that new writes need not wait for the end; false ends the repair.
 * @returns how many entries were mended.
 */
export async function repairIndex(
  { store, search, storeHealth }: CatalogParts,
  between: () => Promise<boolean>,
): Promise<number> {
  let mended = 0;
  const unindexed: string[] = [];
  for (const mendPage of [mendEntities, dropStrangers]) {
    let after: string | undefined;
    do {
      const page = await mendPage(store.entities, search, after);
      mended += page.mended;
      for (const urn of page.unindexed) unindexed.push(urn);
      after = page.last;
    } while ((await between()) && after !== undefined);
  }
  storeHealth.setUnindexed(unindexed);
  return mended;
}
