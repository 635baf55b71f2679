/** JavaScript's blanks: Go's \s has only those of ASCII, without the vertical tab. */
const BLANKS = '\\s\\v\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** What is read at once, outside of a class and inside of one. */
const OUTSIDE = /^(?:\[\\s\\S\]|\\.|\(\?(?!:))/su;
const INSIDE = /^\\./su;

/** Escapes that both have, with the same meaning. */
const SHARED_ESCAPE = /^\\(?:[dDwWtnrfv]|[^A-Za-z0-9])$/su;

/**
 * The pattern of a JavaScript expression for Go's RE2, which the API server of Kubernetes uses: it matches the same texts.
 * @throws Error when RE2 has no such thing.
 */
export function re2Pattern(source: string): string {
  let text = '';
  let inClass = false;
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const token = (inClass ? INSIDE : OUTSIDE).exec(rest)?.[0] ?? rest.slice(0, 1);
    const translated = inClass ? inside(token) : outside(token);
    if (translated === undefined)
      throw new Error(`${source}: ${token} is nothing, or another thing, to RE2; write it in another way`);
    if (token === '[') inClass = true;
    if (token === ']') inClass = false;
    text += translated;
    at += token.length;
  }
  return text;
}

function outside(token: string): string | undefined {
  if (token === '[\\s\\S]') return '(?s:.)';
  if (token === '\\s') return `[${BLANKS}]`;
  if (token === '\\S') return `[^${BLANKS}]`;
  return token === '(?' || token === '.' ? undefined : inside(token);
}

function inside(token: string): string | undefined {
  if (token === '\\s') return BLANKS;
  return token.startsWith('\\') && !SHARED_ESCAPE.test(token) ? undefined : token;
}
