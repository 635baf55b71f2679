import { WORDS_FIELD, wordsOf } from '../../../model/entity-fields.ts';
import type { SearchCondition } from '../../search/port.ts';
import { entityField } from '../indexing/index-entry.ts';

/** All words of the text are among those of an entity's names and descriptions. A text without any is in none. */
export function wordsCondition(text: string): SearchCondition {
  const field = entityField(WORDS_FIELD);
  const words = [...new Set(wordsOf(text))];
  if (words.length === 0) return { kind: 'none' };
  return { kind: 'and', of: words.map((value) => ({ kind: 'equal', field, value, fold: true })) };
}
