import { MAX_QUERY_LENGTH } from '../../../model/query/parse.ts';
import type { SearchCondition } from '../../search/port.ts';
import { CatalogError } from '../errors.ts';
import type { RegistryView } from '../registry/registry.ts';
import { resolveQuery } from './resolve-query.ts';
import { wordsCondition } from './words-condition.ts';

/** A text that begins so is a query string. Clients of the reference catalogue escape the slash, some of them twice. */
const QUERY_STRING = /^\\{0,2}\/q /u;

/**
 * The condition that a search text means: nothing or `*` everything, `/q …` a query string, any other text its words.
 * @throws CatalogError `malformed` for a text that is too long, and for a query string what `resolveQuery` throws.
 */
export async function resolveSearchText(text: string, registry: RegistryView): Promise<SearchCondition> {
  if (QUERY_STRING.test(text)) return resolveQuery(text.replace(QUERY_STRING, ''), registry);
  if (text.length > MAX_QUERY_LENGTH) {
    throw new CatalogError('malformed', `query: ${text.length} characters, more than ${MAX_QUERY_LENGTH}`);
  }
  const trimmed = text.trim();
  return trimmed === '' || trimmed === '*' ? { kind: 'all' } : wordsCondition(trimmed);
}
