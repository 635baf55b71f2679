import * as z from 'zod';

/** One of the words, as documented; a newer server may say another, and is understood all the same. */
export function openEnum(words: readonly string[]) {
  return z.string().meta({ enum: [...words] });
}
