import { tryParseUrn } from '../../../model/urn.ts';

/** What a URN says of its entity, for people. */
export interface NamedEntity {
  readonly urn: string;
  /** Such as `dataset`; empty for what is no URN. */
  readonly type: string;
  readonly name: string;
  /** Such as `postgres`: of datasets and what is in them. */
  readonly platform?: string;
  /** Such as `PROD`. */
  readonly environment?: string;
  /** URN of the dataset that a schema field is in. */
  readonly parent?: string;
}

export function nameEntity(urn: string): NamedEntity {
  const parsed = tryParseUrn(urn);
  if (parsed === undefined) return { urn, type: '', name: urn };
  const type = parsed.entityType.name;
  const [first = '', second = '', third = ''] = parsed.key;
  switch (type) {
    case 'dataset':
      return { urn, type, name: second, platform: lastPart(first), environment: third };
    case 'schemaField': {
      const { platform, environment } = nameEntity(first);
      return {
        urn,
        type,
        name: second,
        parent: first,
        ...(platform === undefined ? {} : { platform }),
        ...(environment === undefined ? {} : { environment }),
      };
    }
    case 'dataFlow':
      return { urn, type, name: second, platform: first, environment: third };
    case 'dataJob':
      return { urn, type, name: second };
    default:
      return { urn, type, name: parsed.key.length === 1 ? parsed.id : parsed.key.slice(1).join(' / ') };
  }
}

/** `dataFlow` as `data flow`. */
export function typeInWords(type: string): string {
  return WORDS[type] ?? type.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}

const WORDS: Readonly<Record<string, string>> = { corpuser: 'user', corpGroup: 'group' };

function lastPart(urn: string): string {
  return urn.slice(urn.lastIndexOf(':') + 1);
}
