import type { ResourceKey } from '../../model/resource/identity.ts';

/** What others refer to goes first, so that they need not wait for it. */
export function inOrder(keys: readonly ResourceKey[]): ResourceKey[] {
  const isReferred = (key: ResourceKey): boolean => key.startsWith('StructuredProperty/');
  return [...keys.filter(isReferred), ...keys.filter((key) => !isReferred(key))];
}
