/**
 * What must not reach a terminal from elsewhere: it moves the cursor, clears the screen, sets titles, types into the
 * shell (ESC, and U+009B, which is the same), ends the line, turns the direction of writing or is not seen at all.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const RUNS_UNSEEN = new RegExp(`${UNSEEN.source}+`, 'gu');
/** The same, but for what text of several lines is made of. */
const UNSEEN_IN_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same, of those that JSON and YAML leave as they are between quotation marks. */
const UNSEEN_IN_QUOTES = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line without what is not to be seen; for tables, where each character has its place. */
export function plain(text: string): string {
  return text.replace(RUNS_UNSEEN, ' ');
}

/** One line that shows the code of each character that is not to be seen: `\u{1b}`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, codeOf);
}

/** As `visible`, of text that may have several lines. */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN_IN_LINES, codeOf);
}

/** JSON, or YAML where such characters stand between quotation marks, as text that means the same and is seen whole. */
export function quotedVisibly(text: string, codeFor: (character: string) => string = unitsOf): string {
  return text.replace(UNSEEN_IN_QUOTES, codeFor);
}

/** Whether quotation marks are needed around a text, since something in it is not to be seen. */
export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN_IN_LINES) >= 0;
}

function codeOf(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** In UTF-16, as JSON has it. */
function unitsOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** At most `width` characters; what is cut off is told by an ellipsis. */
export function cut(text: string, width: number): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  return width < 1 ? '' : `${characters.slice(0, width - 1).join('')}…`;
}

/** Cut or filled up to exactly `width` characters. */
export function padded(text: string, width: number): string {
  const short = cut(text, width);
  return short + ' '.repeat(Math.max(0, width - [...short].length));
}

/** The age of something in one unit, as kubectl shows it: `45s`, `12m`, `3h`, `9d`. */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** `a, b and 3 more`. */
export function listed(items: readonly string[], most = 5): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}

/** `1 entity`, `2 entities`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
