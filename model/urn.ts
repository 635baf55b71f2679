import { type EntityTypeInfo, findEntityType } from './entity-type.ts';
import { MAX_URN_BYTES } from './limits.ts';
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
    super(invalidUrn(text, reason));
    this.name = 'InvalidUrnError';
    this.text = text;
  }
}

/**
 * Parses a URN of an entity type that the catalogue knows. How long it is does not matter: what is stored can be read.
 * @throws InvalidUrnError naming what is wrong.
 */
export function parseUrn(text: string): ParsedUrn {
  const read = readUrn(text);
  if (typeof read === 'string') throw new InvalidUrnError(text, read);
  return read;
}

/** As {@link parseUrn}, but `undefined` for what is no URN. */
export function tryParseUrn(text: string): ParsedUrn | undefined {
  const read = readUrn(text);
  return typeof read === 'string' ? undefined : read;
}

/** As {@link parseUrn}, but gives the message of the error: lists have hundreds of thousands of texts that are no URNs. */
export function checkUrn(text: string): ParsedUrn | { readonly problem: string } {
  const read = readUrn(text);
  return typeof read === 'string' ? { problem: invalidUrn(text, read) } : read;
}

/** Whether a URN is too long for a new entity. */
export function isTooLongUrn(urn: Urn): boolean {
  // One character has at most three bytes, half a pair too.
  return urn.length * 3 > MAX_URN_BYTES && new TextEncoder().encode(urn).length > MAX_URN_BYTES;
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

function invalidUrn(text: string, reason: string): string {
  return `Invalid urn!: ${shorten(text, 300)} (${reason})`;
}

/** @returns what is wrong when it is no URN. */
function readUrn(text: string): ParsedUrn | string {
  const match = /^urn:li:([A-Za-z]+):(.+)$/su.exec(text);
  if (match === null) return 'expected urn:li:<entityType>:<id>';
  if (!text.isWellFormed()) return 'it is not well-formed Unicode';
  if (text !== text.trim()) return 'it has blanks around it';
  const [, typeName = '', id = ''] = match;
  const entityType = findEntityType(typeName);
  if (entityType === undefined) return `unknown entity type ${shorten(typeName, 300)}`;
  if (entityType.name !== typeName) return `the entity type is written ${entityType.name}`;
  const key = splitKey(entityType, id);
  return typeof key === 'string' ? key : { urn: text as Urn, entityType, id, key };
}

/** @returns what is wrong when the id has not the parts that it is to have. */
function splitKey(entityType: EntityTypeInfo, id: string): string[] | string {
  const fields = entityType.keyFields;
  if (fields.length === 1) return [id];
  if (!id.startsWith('(') || !id.endsWith(')')) return `expected urn:li:${entityType.name}:(${fields.join(',')})`;
  const parts = splitTuple(entityType, id.slice(1, -1));
  if (parts === undefined || parts.some((part) => part === '')) return `expected (${fields.join(',')})`;
  return wrongPart(entityType, parts) ?? parts;
}

/** The middle of a tuple may hold commas and parentheses (names of datasets do), its ends may not; a nested URN is first. */
function splitTuple(entityType: EntityTypeInfo, inner: string): string[] | undefined {
  if (hasNestedUrn(entityType) && /^urn:li:[A-Za-z]+:\(/u.test(inner)) return splitNested(entityType, inner);
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
function splitNested(entityType: EntityTypeInfo, inner: string): string[] | undefined {
  const close = closingParenthesis(inner);
  const nested = inner.slice(0, close + 1);
  const isPaired = inner[close + 1] === ',' && wrongNested(entityType, nested) === undefined;
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

/** @returns what is wrong with a part, if anything is. */
function wrongPart(entityType: EntityTypeInfo, parts: readonly string[]): string | undefined {
  const [first = '', , last = ''] = parts;
  if (entityType.name === 'dataset') {
    if (!/^urn:li:dataPlatform:[^\s,]+$/u.test(first)) return 'the platform is written urn:li:dataPlatform:<platform>';
    if (!/^[A-Za-z0-9_-]+$/u.test(last)) return `the environment ${shorten(last, 300)} is not a word such as PROD`;
  }
  return hasNestedUrn(entityType) ? wrongNested(entityType, first) : undefined;
}

/** What it may be of is looked at before it is parsed: so the parser goes no deeper than three URNs, whatever it is given. */
function wrongNested(entityType: EntityTypeInfo, nested: string): string | undefined {
  if (nested.startsWith('urn:li:schemaField:')) return 'a schema field has no schema fields';
  const isFlow = nested.startsWith('urn:li:dataFlow:');
  if (entityType.name === 'dataJob' && nested.startsWith('urn:li:') && !isFlow) {
    return `${shorten(nested, 300)} is no data flow`;
  }
  return tryParseUrn(nested) === undefined ? `${shorten(nested, 300)} is no URN` : undefined;
}
