import { patternMatcher } from '../pattern.ts';
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

/** `*` is any text, also none; `?` is one character; anything else is itself. */
export function matchesPattern(pattern: string, text: string): boolean {
  const parts = Array.from(pattern, (character) =>
    character === '*' || character === '?' ? character : { literal: character },
  );
  return patternMatcher(parts)(text);
}
