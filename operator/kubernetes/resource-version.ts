const DECIMAL = /^(0|[1-9][0-9]*)$/u;

/**
 * Whether a resourceVersion is newer than another one of the same kind of object. Two decimal ones are compared as
 * integers of any length (KEP-5504); of others it is only known that they differ, and the one that came later counts.
 * @param known the one that was there before.
 */
export function isNewerVersion(version: string, known: string): boolean {
  if (version === known) return false;
  if (!DECIMAL.test(version) || !DECIMAL.test(known)) return true;
  return version.length === known.length ? version > known : version.length > known.length;
}
