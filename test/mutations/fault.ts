import type { Tier } from '../tiers.ts';

/** A mistake that somebody could make, and the tests that have to find it. */
export interface Fault {
  /** For arguments and tables. */
  readonly name: string;
  /** What goes wrong then. */
  readonly what: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly text: string;
  readonly becomes: string;
  /** Absent: the quick one. */
  readonly tier?: Tier;
  /** Test files that have to find it, best one alone, the quickest that does. */
  readonly foundBy: readonly string[];
}

/** A source with the fault in it. @throws Error where it does not fit. */
export function planted(source: string, { name, file, text, becomes }: Fault): string {
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`${name}: ${file} has the text ${parts.length - 1} times, not once`);
  return parts.join(becomes);
}
