/**
 * The text that a comparison without regard to case looks at: lower case, one form of sigma. JavaScript lower-cases a
 * capital sigma by its place in the word; without evening that out, `ΟΔΟΣ*` would not find `ΟΔΟΣΑ`. So folding is the
 * same for a text and for its pieces: `foldCase(a + b)` is `foldCase(a) + foldCase(b)`.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
