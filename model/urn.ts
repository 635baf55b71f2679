import { type EntityTypeInfo, findEntityType } from './entity-type.ts';
import { shorten } from './violation.ts';

/**
 * `urn:li:<entityType>:<id>`, checked. A value of this type has been through {@link parseUrn}; its text is exactly what
 * was written, so it can be sent, stored and compared as it is.
 */
export type Urn = string & { readonly __brand: 'Urn' };

export interface ParsedUrn {
  readonly urn: Urn;
  readonly entityType: EntityTypeInfo;
  /** The text behind the third colon. */
  readonly id: string;
  /** The parts of the id, one for each of `entityType.keyFields`. */
  readonly key: readonly string[];
}

/** A text that is no URN. `message` starts with the words that the reference catalogue's clients know. */
export class InvalidUrnError extends Error {
  readonly text: string;
  constructor(text: string, reason: string) {
    super(`Invalid urn!: ${shorten(text, 300)} (${reason})`);
    this.name = 'InvalidUrnError';
    this.text = text;
  }
}

/**
 * Parses a URN of an entity type that the catalogue knows.
 * @throws InvalidUrnError naming what is wrong.
 */
export function parseUrn(text: string): ParsedUrn {
  const match = /^urn:li:([A-Za-z]+):(.+)$/su.exec(text);
  if (match === null) throw new InvalidUrnError(text, 'expected urn:li:<entityType>:<id>');
  if (!text.isWellFormed()) throw new InvalidUrnError(text, 'it is not well-formed Unicode');
  if (text !== text.trim()) throw new InvalidUrnError(text, 'it has blanks around it');
  const [, typeName = '', id = ''] = match;
  const entityType = findEntityType(typeName);
  if (entityType === undefined) throw new InvalidUrnError(text, `unknown entity type ${typeName}`);
  if (entityType.name !== typeName) throw new InvalidUrnError(text, `the entity type is written ${entityType.name}`);
  return { urn: text as Urn, entityType, id, key: splitKey(text, entityType, id) };
}

/** As {@link parseUrn}, but `undefined` for what is no URN. */
export function tryParseUrn(text: string): ParsedUrn | undefined {
  try {
    return parseUrn(text);
  } catch (error) {
    if (error instanceof InvalidUrnError) return undefined;
    throw error;
  }
}

/** The key aspect that the URN spells out, such as `{platform, name, origin}` for a dataset. */
export function keyAspectOf(parsed: ParsedUrn): Record<string, string> {
  return Object.fromEntries(parsed.entityType.keyFields.map((field, index) => [field, parsed.key[index] ?? '']));
}

export function datasetUrn(platform: string, name: string, origin: string): Urn {
  return parseUrn(`urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${origin})`).urn;
}

export function schemaFieldUrn(parent: string, fieldPath: string): Urn {
  return parseUrn(`urn:li:schemaField:(${parent},${fieldPath})`).urn;
}

export function structuredPropertyUrn(qualifiedName: string): Urn {
  return parseUrn(`urn:li:structuredProperty:${qualifiedName}`).urn;
}

/** A URN of some entity type of the reference catalogue, known here or not: what a value of type `urn` has to be. */
export function isUrnText(text: string): boolean {
  return /^urn:li:[A-Za-z][A-Za-z0-9]*:\S(?:.*\S)?$/su.test(text);
}

/** The entity type's name in a text for which {@link isUrnText} holds. */
export function entityTypeNameOf(urnText: string): string {
  return urnText.split(':', 3)[2] ?? '';
}

function splitKey(text: string, entityType: EntityTypeInfo, id: string): string[] {
  const fields = entityType.keyFields;
  if (fields.length === 1) return [id];
  if (!id.startsWith('(') || !id.endsWith(')')) {
    throw new InvalidUrnError(text, `expected urn:li:${entityType.name}:(${fields.join(',')})`);
  }
  const inner = id.slice(1, -1);
  const parts = splitTuple(entityType, inner);
  if (parts === undefined || parts.some((part) => part === '')) {
    throw new InvalidUrnError(text, `expected (${fields.join(',')})`);
  }
  checkParts(text, entityType, parts);
  return parts;
}

/** The middle of a tuple may hold commas and parentheses (names of datasets do), its ends may not; a nested URN is first. */
function splitTuple(entityType: EntityTypeInfo, inner: string): string[] | undefined {
  if (hasNestedUrn(entityType) && /^urn:li:[A-Za-z]+:\(/u.test(inner)) return splitNested(inner);
  const first = inner.indexOf(',');
  if (first < 0) return undefined;
  if (entityType.keyFields.length === 2) return [inner.slice(0, first), inner.slice(first + 1)];
  const last = inner.lastIndexOf(',');
  return last === first ? undefined : [inner.slice(0, first), inner.slice(first + 1, last), inner.slice(last + 1)];
}

function hasNestedUrn({ name }: EntityTypeInfo): boolean {
  return name === 'schemaField' || name === 'dataJob';
}

/**
 * `<tuple URN>,<rest>`: the URN ends at the parenthesis that closes it. Where the parentheses of its names do not pair, it
 * ends at the first one that a comma follows and that may end a URN.
 */
function splitNested(inner: string): string[] | undefined {
  const close = closingParenthesis(inner);
  const nested = inner.slice(0, close + 1);
  const isPaired = inner[close + 1] === ',' && !isSchemaField(nested) && tryParseUrn(nested) !== undefined;
  if (isPaired) return [nested, inner.slice(close + 2)];
  const match = /^([^(]+\(.*?,[^,()]+\)),(.+)$/su.exec(inner);
  return match === null ? undefined : [match[1] ?? '', match[2] ?? ''];
}

/** @returns the place of the parenthesis that closes the first one, or -1. */
function closingParenthesis(text: string): number {
  let depth = 0;
  for (let at = text.indexOf('('); at >= 0 && at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function checkParts(text: string, entityType: EntityTypeInfo, parts: readonly string[]): void {
  const [first = '', , last = ''] = parts;
  if (entityType.name === 'dataset') {
    if (!/^urn:li:dataPlatform:[^\s,]+$/u.test(first)) {
      throw new InvalidUrnError(text, 'the platform is written urn:li:dataPlatform:<platform>');
    }
    if (!/^[A-Za-z0-9_-]+$/u.test(last)) {
      throw new InvalidUrnError(text, `the environment ${shorten(last, 300)} is not a word such as PROD`);
    }
  }
  if (hasNestedUrn(entityType)) checkNested(text, entityType, first);
}

function checkNested(text: string, entityType: EntityTypeInfo, nested: string): void {
  // Also what keeps the parser from going as deep as somebody nests.
  if (isSchemaField(nested)) throw new InvalidUrnError(text, 'a schema field has no schema fields');
  const parsed = tryParseUrn(nested);
  if (parsed === undefined) throw new InvalidUrnError(text, `${shorten(nested, 300)} is no URN`);
  if (entityType.name === 'dataJob' && parsed.entityType.name !== 'dataFlow') {
    throw new InvalidUrnError(text, `${shorten(nested, 300)} is no data flow`);
  }
}

function isSchemaField(text: string): boolean {
  return text.startsWith('urn:li:schemaField:');
}
