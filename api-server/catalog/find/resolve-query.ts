import { ENTITY_FIELDS, WORDS_FIELD, wordsOf } from '../../../model/entity-fields.ts';
import { MAX_SEARCH_TEXT } from '../../../model/limits.ts';
import type { FieldName, QueryNode, RangeBound, Span } from '../../../model/query/ast.ts';
import { QuerySyntaxError } from '../../../model/query/errors.ts';
import { parseQuery } from '../../../model/query/parse.ts';
import { readPublicField } from '../../../model/search-name.ts';
import type { Bound, SearchCondition } from '../../search/port.ts';
import { CatalogError } from '../errors.ts';
import { entityField } from '../indexing/index-entry.ts';
import type { RegistryView } from '../registry/registry.ts';
import {
  cannotFilterOn,
  entitySearchField,
  propertyByPublicField,
  propertySearchField,
  type SearchField,
} from './fields.ts';
import { readValue } from './values.ts';

/**
 * Turns a parsed query into a condition on physical fields. Public names mean the live epoch at this moment: names that
 * are older, unversioned while there is a version, hard deleted or never defined match nothing; any name of a
 * soft-deleted property is refused.
 * @throws QuerySyntaxError pointing at the place, CatalogError `invalid` for a soft-deleted property.
 */
export async function resolveQuery(text: string, registry: RegistryView): Promise<SearchCondition> {
  return resolveNode(parseQuery(text), { text, registry });
}

/** A text that begins so is a query string. Clients of the reference catalogue escape the slash, some of them twice. */
const QUERY_STRING = /^\\{0,2}\/q /u;

/**
 * The condition that a search text means: nothing or `*` everything, `/q …` a query string, any other text its words.
 * @throws CatalogError `malformed` for a text that is too long, and for a query string what `resolveQuery` throws.
 */
export async function resolveSearchText(text: string, registry: RegistryView): Promise<SearchCondition> {
  if (QUERY_STRING.test(text)) return resolveQuery(text.replace(QUERY_STRING, ''), registry);
  if (text.length > MAX_SEARCH_TEXT) {
    throw new CatalogError('malformed', `query: ${text.length} characters, more than ${MAX_SEARCH_TEXT}`);
  }
  const trimmed = text.trim();
  return trimmed === '' || trimmed === '*' ? { kind: 'all' } : wordsCondition(trimmed);
}

interface Context {
  /** The whole query, to point at a place in it. */
  readonly text: string;
  readonly registry: RegistryView;
}

async function resolveNode(node: QueryNode, context: Context): Promise<SearchCondition> {
  switch (node.kind) {
    case 'everything':
      return { kind: 'all' };
    case 'and':
    case 'or':
      return {
        kind: node.kind,
        of: await Promise.all(node.operands.map((operand) => resolveNode(operand, context))),
      };
    case 'not':
      return { kind: 'not', of: await resolveNode(node.operand, context) };
    default: {
      if (node.field === undefined) return bareCondition(node, context);
      const target = await resolveField(node.field, context);
      return target === undefined ? { kind: 'none' } : leafCondition(node, target, context);
    }
  }
}

type Leaf = Extract<QueryNode, { kind: 'term' | 'wildcard' | 'range' | 'exists' }>;

interface Target extends SearchField {
  /** Compare strings without their case, as the reference catalogue's normalized fields do. */
  readonly fold: boolean;
}

async function resolveField({ name, span }: FieldName, context: Context): Promise<Target | undefined> {
  const exactName = name.endsWith('.keyword') ? name.slice(0, -'.keyword'.length) : undefined;
  const own = entitySearchField(exactName ?? name);
  if (own !== undefined) return { ...own, fold: exactName === undefined };
  const requested = readPublicField(name);
  if (requested === undefined) {
    throw malformed(
      context,
      span,
      `unknown field ${name}; use structuredProperties.<name> or one of ${ENTITY_FIELDS.join(', ')}`,
    );
  }
  const property = await propertyByPublicField(requested, context.registry);
  if (property === undefined) return undefined;
  if (property.removed) throw cannotFilterOn([property]);
  const target = propertySearchField(property);
  return { ...target, fold: !requested.exact && target.type !== 'urn' };
}

function leafCondition(node: Leaf, target: Target, context: Context): SearchCondition {
  const { field, fold } = target;
  switch (node.kind) {
    case 'exists':
      return { kind: 'exists', field };
    case 'term':
      return { kind: 'equal', field, fold, value: searchedValue(node.text, valueSpan(node), target, context) };
    case 'wildcard':
      if (target.type === 'number' || target.type === 'date') {
        throw malformed(context, valueSpan(node), `a ${target.type} has no wildcards; use a range or _exists_`);
      }
      return { kind: 'like', field, fold, pattern: node.pattern };
    default: {
      const lower = readBound(node.lower, target, context);
      const upper = readBound(node.upper, target, context);
      if (lower === undefined && upper === undefined) return { kind: 'exists', field };
      return {
        kind: 'range',
        field,
        fold,
        ...(lower === undefined ? {} : { lower }),
        ...(upper === undefined ? {} : { upper }),
      };
    }
  }
}

/**
 * A bare term looks through the words of names and descriptions; never through property values. A bare search name of a
 * property asks whether the entity has it: the interface's tutorial writes the field alone where it means its presence.
 */
async function bareCondition(node: Leaf, context: Context): Promise<SearchCondition> {
  if (node.kind === 'term') {
    if (!node.quoted && readPublicField(node.text) !== undefined) {
      const target = await resolveField({ name: node.text, span: node.span }, context);
      return target === undefined ? { kind: 'none' } : { kind: 'exists', field: target.field };
    }
    return wordsCondition(node.text);
  }
  if (node.kind === 'wildcard')
    return { kind: 'like', field: entityField(WORDS_FIELD), pattern: node.pattern, fold: true };
  throw malformed(context, node.span, 'a range needs a field');
}

/** All words of the text are among those of an entity's names and descriptions. A text without any is in none. */
function wordsCondition(text: string): SearchCondition {
  const field = entityField(WORDS_FIELD);
  const words = [...new Set(wordsOf(text))];
  if (words.length === 0) return { kind: 'none' };
  return { kind: 'and', of: words.map((value) => ({ kind: 'equal', field, value, fold: true })) };
}

/** Where the value of `field:value` stands. */
function valueSpan({ field, span }: Leaf): Span {
  return field === undefined ? span : { start: field.span.end + 1, end: span.end };
}

function readBound(bound: RangeBound | undefined, target: Target, context: Context): Bound | undefined {
  if (bound === undefined) return undefined;
  return { value: searchedValue(bound.value, bound.span, target, context), inclusive: bound.inclusive };
}

function searchedValue(text: string, span: Span, { type }: Target, context: Context): string | number {
  return readValue(text, type, (reason) => malformed(context, span, reason));
}

function malformed({ text }: Context, span: Span, reason: string): QuerySyntaxError {
  return new QuerySyntaxError(text, span, reason);
}
