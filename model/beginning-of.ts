/** The first characters of a text: at most so many code units, and no half of one. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1) & 0xfc00;
  return text.slice(0, last === 0xd800 ? length - 1 : length);
}
