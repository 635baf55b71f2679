import { isStructuredProperty } from '../../model/resource/resource.ts';
import type { SourceResource } from '../source/port.ts';

const URN_PREFIX = 'urn:li:structuredProperty:';

export function propertyUrnOf(qualifiedName: string): string {
  return `${URN_PREFIX}${qualifiedName}`;
}

export function qualifiedNameOf(propertyUrn: string): string {
  return propertyUrn.slice(URN_PREFIX.length);
}

/** The property that a StructuredProperty is about; while its manifest is not valid, the one that it was about before. */
export function propertyUrnOfResource({ wish, status }: SourceResource): string | undefined {
  if (wish.kind === 'valid' && isStructuredProperty(wish.resource))
    return propertyUrnOf(wish.resource.spec.qualifiedName);
  return status?.urn;
}
