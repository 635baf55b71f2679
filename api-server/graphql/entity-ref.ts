import { type ParsedUrn, tryParseUrn } from '../../model/urn.ts';
import { kindOf } from './entity-kinds.ts';

/** An entity as resolvers hand it on: its URN, which says its type. What else it has is read when a field asks for it. */
export interface EntityRef {
  readonly __typename: string;
  readonly parsed: ParsedUrn;
}

export function refOf(parsed: ParsedUrn): EntityRef {
  return { __typename: kindOf(parsed.entityType).typeName, parsed };
}

/** `undefined` for a text that is no URN of a type that the catalogue knows. */
export function tryRefOf(text: unknown): EntityRef | undefined {
  const parsed = typeof text === 'string' ? tryParseUrn(text) : undefined;
  return parsed === undefined ? undefined : refOf(parsed);
}
