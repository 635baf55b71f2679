/** The fields that have a value. */
export function withoutAbsent<T>(fields: Record<string, T | undefined>): Record<string, T> {
  const present = Object.entries(fields).filter((field): field is [string, T] => field[1] !== undefined);
  return Object.fromEntries(present);
}
