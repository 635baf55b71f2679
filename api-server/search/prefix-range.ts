const LAST_CODE_POINT = 0x10ffff;

/**
 * The first string, by code points, behind all strings that start with `prefix`; undefined when there is none. Every
 * engine with an ordered index can so answer a prefix search as a range.
 */
export function endOfPrefix(prefix: string): string | undefined {
  const characters = [...prefix];
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? LAST_CODE_POINT;
    if (last === LAST_CODE_POINT) continue;
    // surrogates are no characters: behind U+D7FF comes U+E000
    const following = last === 0xd7ff ? 0xe000 : last + 1;
    return characters.join('') + String.fromCodePoint(following);
  }
  return undefined;
}
