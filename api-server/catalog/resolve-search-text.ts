import type { SearchCondition } from '../search/port.ts';
import type { RegistryView } from './registry.ts';
import { resolveQuery } from './resolve-query.ts';
import { wordsCondition } from './words-condition.ts';

/** A text that begins so is a query string. Clients of the reference catalogue escape the slash, some of them twice. */
const QUERY_STRING = /^\\{0,2}\/q /u;

/**
 * The condition that a search text means: nothing or `*` everything, `/q …` a query string, any other text its words.
 * @throws what `resolveQuery` throws, for a query string only.
 */
export async function resolveSearchText(text: string, registry: RegistryView): Promise<SearchCondition> {
  if (QUERY_STRING.test(text)) return resolveQuery(text.replace(QUERY_STRING, ''), registry);
  const trimmed = text.trim();
  return trimmed === '' || trimmed === '*' ? { kind: 'all' } : wordsCondition(trimmed);
}
