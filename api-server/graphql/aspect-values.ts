/** Opaque aspects are stored as they are sent, so what a field finds in one may be anything. */

type Json = Readonly<Record<string, unknown>>;

/** The first of the values that is a text. */
export function text(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}

export function object(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** A map of texts as a list of entries. */
export function entries(value: unknown): { key: string; value: string | undefined }[] {
  return Object.entries(object(value) ?? {}).map(([key, one]) => ({ key, value: text(one) }));
}
