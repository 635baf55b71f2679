import type { SourceResource } from '../source/port.ts';

/** Puts the place of the manifest, if there is one, before a message. */
export function at({ location }: SourceResource, message: string): string {
  return location === undefined ? message : `${location}: ${message}`;
}
