import * as z from 'zod';
import { MAX_ANSWER_BYTES, MAX_LISTED } from '../../model/limits.ts';
import type { StoredRecord } from '../store/port.ts';
import { type JsonText, textOf } from './json-text.ts';

/** Parameters of a list that goes on behind `after`, as `/owners` has them. */
export const pageQuery = z.object({
  count: z.coerce
    .number()
    .int()
    .min(1)
    .default(MAX_LISTED)
    .transform((count) => Math.min(count, MAX_LISTED))
    .describe(`On a page, at most ${MAX_LISTED}; a page of large ones ends earlier`),
  after: z.string().optional().describe('The `next` of the page before'),
});

export interface TextPage {
  readonly texts: JsonText[];
  /** Id of the last one; absent when there are no more. */
  readonly next?: string;
}

/** The first `count` of the records, as texts, or fewer when they fill an answer. */
export async function recordPage<T>(
  records: AsyncIterable<StoredRecord<T>>,
  count: number,
  show: (body: T) => object,
): Promise<TextPage> {
  const texts: JsonText[] = [];
  let bytes = 0;
  let last: string | undefined;
  for await (const { id, body } of records) {
    if (last !== undefined && (texts.length === count || bytes >= MAX_ANSWER_BYTES)) return { texts, next: last };
    const text = textOf(show(body));
    texts.push(text);
    bytes += text.length;
    last = id;
  }
  return { texts };
}
