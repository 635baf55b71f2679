import type { SourceResource } from '../source/port.ts';

/** Puts the place of the manifest, if there is one, before a message. */
export function at({ location }: SourceResource, message: string): string {
  return location === undefined ? message : `${location}: ${message}`;
}

/** `a, b and 3 more`. */
export function listed(items: readonly string[], most = 5): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
