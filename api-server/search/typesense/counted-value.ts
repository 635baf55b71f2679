import { hexOf, numberOfHex } from './number-order.ts';
import { valueTerm } from './terms.ts';

/** Servers tell words apart by 100 characters: these bytes in hex digits, a letter and a term are 97. */
const WHOLE_BYTES = 32;

/** A value in the column that is counted. */
export interface CountedValue {
  /** Hex digits in the order of the values; those of long texts with the same start are the same. */
  readonly order: string;
  /** Undefined for a long text: the dictionary has it. */
  readonly value: string | number | undefined;
  /** Of a long text. */
  readonly term: string;
}

/** The value itself where it is short, in an alphabet that the engine cannot confuse. */
export function countedText(field: string, value: string | number): string {
  if (typeof value === 'number') return `n${hexOf(value)}`;
  const bytes = Buffer.from(value);
  if (bytes.length <= WHOLE_BYTES) return `s${bytes.toString('hex')}`;
  return `l${bytes.subarray(0, WHOLE_BYTES).toString('hex')}${valueTerm(field, value)}`;
}

export function parseCounted(text: string): CountedValue {
  const rest = text.slice(1);
  if (text[0] === 'n') return { order: rest, value: numberOfHex(rest), term: '' };
  if (text[0] === 's') return { order: rest, value: Buffer.from(rest, 'hex').toString(), term: '' };
  return { order: rest.slice(0, 2 * WHOLE_BYTES), value: undefined, term: rest.slice(2 * WHOLE_BYTES) };
}
