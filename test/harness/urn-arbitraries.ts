import fc from 'fast-check';

/** What names of real assets hold, and what splitting, percent-encoding and case folding stumble over. */
const plainPiece = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'Z', '0', '_', '-', '.', 'logs', 'PROD', '..'), weight: 4 },
  { arbitrary: fc.constantFrom(' ', '/', '%', '%2F', '%25', '+', '?', '#', '&', ';', ':', '=', '~', '~1'), weight: 3 },
  { arbitrary: fc.constantFrom('[', ']', '{', '"', "'", '\\', '*', '$', '@', '//', '\t', '\n'), weight: 2 },
  {
    arbitrary: fc.constantFrom('é', 'e\u0301', 'ß', 'İ', 'Å', '日本', '\u00a0', '\ue000', '😀', '\u{10ffff}'),
    weight: 2,
  },
);

/** Without commas and parentheses, and without a blank at either end. */
export const plainName = fc
  .array(plainPiece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join('').trim())
  .filter((name) => name !== '');

/** Commas anywhere, and parentheses that pair. */
export const pairedName: fc.Arbitrary<string> = fc.letrec<{ name: string }>((tie) => ({
  name: fc
    .array(
      fc.oneof(
        { maxDepth: 2 },
        plainName,
        fc.constant(','),
        tie('name').map((inner) => `(${inner})`),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((pieces) => pieces.join('')),
})).name;

/** Any text that a name may be. */
export const anyName = fc
  .array(fc.oneof(plainName, fc.constantFrom(',', '(', ')', '()', '),', ',(')), { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join(''));

/** Parts that stand at the ends of a tuple: a word as in `PROD`. */
export const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/u);

export const platform = fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/u);
