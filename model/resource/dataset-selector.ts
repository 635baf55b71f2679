import { keyAspectOf, type ParsedUrn } from '../urn.ts';
import type { DatasetSelector } from './dataset-properties.ts';

/** The URN of a data platform that was given by its short name or as a URN. */
export function platformUrn(platform: string): string {
  return platform.startsWith('urn:li:') ? platform : `urn:li:dataPlatform:${platform}`;
}

/** Whether the selector means the dataset; its URN alone tells. */
export function selects(selector: DatasetSelector, dataset: ParsedUrn): boolean {
  const { platform, name = '', origin } = keyAspectOf(dataset);
  if (selector.platform !== undefined && platformUrn(selector.platform) !== platform) return false;
  if (selector.environment !== undefined && selector.environment !== origin) return false;
  return selector.namePattern === undefined || matchesPattern(selector.namePattern, name);
}

/**
 * `*` is any text, also none; `?` is one character; anything else is itself. The pattern is somebody's input: it is never
 * made a regular expression, since some of those take for ever.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [wanted, given] = [[...pattern], [...text]];
  let at = 0;
  /** The last `*` that was met, and where what it stands for ends so far. */
  let star: { readonly at: number; end: number } | undefined;
  for (let index = 0; index < given.length; ) {
    if (wanted[at] === '*') {
      star = { at, end: index };
      at += 1;
    } else if (wanted[at] === '?' || wanted[at] === given[index]) {
      at += 1;
      index += 1;
    } else if (star !== undefined) {
      star.end += 1;
      index = star.end;
      at = star.at + 1;
    } else return false;
  }
  return wanted.slice(at).every((character) => character === '*');
}
