import type { DatasetSelector } from '../../model/resource/dataset-properties.ts';
import { platformUrn } from '../../model/resource/dataset-selector.ts';

/**
 * The part of a selector that the search engine can answer exactly, in the listing's query-string syntax. The pattern
 * of the name is left to the caller, who checks every answer by its URN anyway.
 */
export function selectorQuery({ platform, environment }: DatasetSelector): string {
  const conditions = [
    ...(platform === undefined ? [] : [`platform:${quoted(platformUrn(platform))}`]),
    ...(environment === undefined ? [] : [`origin:${quoted(environment)}`]),
  ];
  return conditions.length === 0 ? '*' : conditions.join(' AND ');
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/gu, (character) => `\\${character}`)}"`;
}
