import { filesOf, tierOfRun } from '../tiers.ts';

/** Has jest run the files of the tier that `PROPLANE_TEST_TIER` names. */
function filesOfTier(files: readonly string[]): { readonly filtered: string[] } {
  return { filtered: filesOf(tierOfRun() ?? 'quick', files) };
}

// jest takes a function for the whole module
export { filesOfTier as 'module.exports' };
