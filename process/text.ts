/** One line that a terminal shows as it is: text from elsewhere must not move the cursor or change the direction. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
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
