import { MAX_COUNTED_CHARACTERS, type ValueCount } from './port.ts';

/** The counts as far as their values are MAX_COUNTED_CHARACTERS together. */
export function* withinCharacters(counts: Iterable<ValueCount>): Generator<ValueCount> {
  let characters = 0;
  for (const one of counts) {
    if (typeof one.value === 'string') characters += one.value.length;
    if (characters > MAX_COUNTED_CHARACTERS) return;
    yield one;
  }
}
