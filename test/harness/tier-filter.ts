import { filesOf, type Tier } from '../tiers.ts';

/** Has jest run the files of the tier that `PROPLANE_TEST_TIER` names. */
function filesOfTier(files: readonly string[]): { readonly filtered: string[] } {
  return { filtered: filesOf(process.env.PROPLANE_TEST_TIER as Tier, files) };
}

// jest takes a function for the whole module
export { filesOfTier as 'module.exports' };
