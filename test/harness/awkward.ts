/** Values and names that are easily spoilt on their way through paths, patches, queries, indexes and JSON. */

export const PRINTABLE: readonly string[] = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

export const AWKWARD_TEXTS: readonly string[] = [
  ...PRINTABLE,
  '',
  'a/b~c',
  '~0~1',
  '/values/0',
  '"quoted" and \\backslash\\',
  "`backticks` and 'single'",
  '$HOME $(x) {{y}} %41 %2F &amp; <b>',
  'a,b;c:d=e(f)[g]{h}',
  '*?',
  'AND',
  'null',
  'true',
  '30',
  '30.0',
  'Gold',
  'gold',
  'ГОЛЬД 価格 😀 ﬁ ß ẞ İ',
  'é',
  'e\u0301',
  'line\nfeed\ttab\r\u0001',
  'x'.repeat(5000),
  `${'y'.repeat(4999)}z`,
];

/** Different doubles; some engines take two of them for one. */
export const AWKWARD_NUMBERS: readonly number[] = [
  0,
  1,
  -1,
  60,
  0.1,
  0.3,
  0.1 + 0.2,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53) - 2,
  16_777_217,
  5e-324,
  -5e-324,
  1.7976931348623157e308,
  -1.7976931348623157e308,
  1e21,
  1e-7,
];
