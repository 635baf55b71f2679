import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GraphQLResolveInfo } from 'graphql';
import { type EntityTypeInfo, findEntityType, SEARCHED_TYPES, typeNameOf } from '../../model/entity-type.ts';
import { parseUrn } from '../../model/urn.ts';
import { CatalogError } from '../catalog/errors.ts';
import { DEFAULT_FACETS, type Facet, MAX_FACET_VALUES, markedProperties } from '../catalog/find/aggregate-entities.ts';
import type { EntitySelection, FindEntitiesRequest } from '../catalog/find/find-entities.ts';
import { type Filter, type FilterGroups, isAboutRemoved, resolveFilters } from '../catalog/find/resolve-filters.ts';
import { resolveSearchText } from '../catalog/find/resolve-query.ts';
import { WHOLE } from '../catalog/read/read-entities.ts';
import { countFacet, findEntities } from '../use-cases/entities.ts';
import type { GraphqlContext } from './context.ts';
import { type EntityRef, refOf, tryRefOf } from './entity-kinds.ts';
import { MAX_RESULTS } from './limits.ts';
import { selectedFields } from './selected-fields.ts';

/** What the three searches have in common. Every field may be null. */
interface SearchInput {
  readonly types?: readonly string[] | null;
  readonly query: string;
  readonly filters?: readonly Filter[] | null;
  readonly orFilters?: FilterGroups | null;
  readonly viewUrn?: string | null;
  readonly searchFlags?: SearchFlags | null;
}

interface SearchFlags {
  readonly maxAggValues?: number | null;
  readonly includeSoftDeleted?: boolean | null;
  readonly skipAggregates?: boolean | null;
  readonly includeStructuredPropertyFacets?: boolean | null;
}

interface PageInput extends SearchInput {
  readonly count?: number | null;
  readonly sortInput?: SortInput | null;
}

interface SortInput {
  readonly sortCriterion?: SortCriterion | null;
  readonly sortCriteria?: readonly SortCriterion[] | null;
}

interface SortCriterion {
  readonly field: string;
  readonly sortOrder: 'ASCENDING' | 'DESCENDING';
}

export const searchResolvers = {
  Query: {
    async searchAcrossEntities(
      _root: unknown,
      { input }: { input: PageInput & { start?: number | null } },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) {
      const start = notNegative('start', input.start ?? 0);
      const count = notNegative('count', input.count ?? 10);
      if (start + count > MAX_RESULTS) {
        throw new CatalogError(
          'malformed',
          `start and count: together more than ${MAX_RESULTS}; scrollAcrossEntities goes through any number`,
        );
      }
      const selection = await selectionOf(input, context);
      const page = await results({ ...selection, order: orderOf(input), start, count }, input, context, info);
      return { ...page, start, suggestions: [] };
    },

    async scrollAcrossEntities(
      _root: unknown,
      { input }: { input: PageInput & { scrollId?: string | null } },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) {
      const count = Math.min(notNegative('count', input.count ?? 10), MAX_RESULTS);
      const asked = { ...(await selectionOf(input, context)), order: orderOf(input), count };
      const scrolled = input.scrollId ? { ...asked, scrollId: input.scrollId } : asked;
      const page = await results(scrolled, input, context, info);
      return { ...page, nextScrollId: page.scrollId ?? null };
    },

    async aggregateAcrossEntities(
      _root: unknown,
      { input }: { input: SearchInput & { facets?: readonly (string | null)[] | null } },
      context: GraphqlContext,
    ) {
      const limit = maxValues(input);
      const selection = await selectionOf(input, context);
      const asked = (input.facets ?? []).filter((name) => name !== null);
      return {
        facets:
          asked.length > 0
            ? await count(asked, selection, limit, context)
            : await defaults(selection, limit, true, context),
      };
    },
  },
};

/** What a URN says without a look at the entity. */
const SAID_BY_URN: ReadonlySet<string> = new Set(['urn', 'type', '__typename']);

async function results(
  asked: FindEntitiesRequest,
  input: SearchInput,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) {
  const { searchFlags } = input;
  const limit = maxValues(input);
  const urnsOnly = selectedFields(info, ['searchResults', 'entity']).isSubsetOf(SAID_BY_URN);
  const page = { ...asked, looksAhead: true };
  const found = await findEntities(context.caller, urnsOnly ? { ...page, aspects: new Set() } : page, WHOLE);
  if (!urnsOnly) context.entities.know(found.entities);
  let facets: Promise<object[]> | undefined;
  return {
    ...found,
    count: found.entities.length,
    searchResults: found.entities.map(({ urn }) => ({
      entity: refOf(parseUrn(urn)),
      matchedFields: [],
      insights: [],
      extraProperties: [],
    })),
    // Counted only when they are asked for, and once for all aliases.
    facets: () => {
      if (searchFlags?.skipAggregates === true) return [];
      facets ??= defaults(asked, limit, searchFlags?.includeStructuredPropertyFacets === true, context);
      return facets;
    },
  };
}

/** There are fewer entity types. */
const MAX_TYPES = 100;

async function selectionOf(input: SearchInput, { caller }: GraphqlContext): Promise<EntitySelection> {
  const types = input.types ?? [];
  if (types.length > MAX_TYPES) throw new CatalogError('malformed', `types: ${types.length}, more than ${MAX_TYPES}`);
  if (input.viewUrn) throw new CatalogError('malformed', 'viewUrn: there are no views');
  const registry = await caller.registry();
  const groups = input.orFilters ?? [];
  // The deprecated list: all of them have to hold.
  const more = input.filters ? [{ and: input.filters }] : [];
  const condition = {
    kind: 'and' as const,
    of: [
      await resolveSearchText(input.query, registry),
      await resolveFilters(groups, registry),
      await resolveFilters(more, registry),
    ],
  };
  return {
    entityTypes: types.length > 0 ? [...new Set(types)].map(entityTypeOf) : SEARCHED_TYPES,
    condition,
    includeRemoved: input.searchFlags?.includeSoftDeleted === true || isAboutRemoved([...groups, ...more]),
  };
}

function entityTypeOf(enumName: string): EntityTypeInfo {
  const type = findEntityType(typeNameOf(enumName));
  if (type === undefined) throw new Error(`the schema has an entity type ${enumName} that the model does not have`);
  return type;
}

function orderOf({ sortInput }: PageInput): FindEntitiesRequest['order'] {
  const criteria = [...(sortInput?.sortCriteria ?? []), ...(sortInput?.sortCriterion ? [sortInput.sortCriterion] : [])];
  const other = criteria.find(({ field }) => field !== 'urn');
  if (other !== undefined) {
    throw new CatalogError('malformed', `sortInput: entities are sorted by urn, not by ${other.field}`);
  }
  return criteria[0]?.sortOrder === 'DESCENDING' ? 'descending' : 'ascending';
}

function notNegative(name: string, value: number): number {
  if (value < 0) throw new CatalogError('malformed', `${name}: ${value} is less than 0`);
  return value;
}

function maxValues({ searchFlags }: SearchInput): number {
  const limit = searchFlags?.maxAggValues ?? 20;
  if (limit >= 1 && limit <= MAX_FACET_VALUES) return limit;
  throw new CatalogError('malformed', `searchFlags.maxAggValues: ${limit} is not within 1 and ${MAX_FACET_VALUES}`);
}

/** Type, platform, origin, and where they are wanted the properties that are marked for it. */
async function defaults(selection: EntitySelection, limit: number, marked: boolean, context: GraphqlContext) {
  const names = marked ? await markedProperties(context.parts) : [];
  const facets = await count([...DEFAULT_FACETS, ...names], selection, limit, context);
  // What was deleted since it was indexed.
  return facets.filter(({ own, entity }) => own || entity !== undefined);
}

async function count(names: readonly string[], selection: EntitySelection, limit: number, context: GraphqlContext) {
  const facets = [];
  for (const name of names) {
    // One after the other: so the time limit is looked at before each, and others are served in between.
    await nextTurn();
    facets.push(facetBody(await countFacet(context.caller, name, selection, limit)));
  }
  return facets;
}

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  _entityType: 'Type',
  platform: 'Platform',
  origin: 'Environment',
  typeNames: 'Sub Type',
};

function facetBody({ field, property, own, values }: Facet) {
  return {
    field,
    own: own !== undefined,
    displayName:
      property === undefined
        ? (DISPLAY_NAMES[own ?? ''] ?? field)
        : (property.definition.displayName ?? property.definition.qualifiedName),
    entity: property === undefined ? undefined : refOf(parseUrn(property.urn)),
    aggregations: values.map(({ value, count }) => ({
      value,
      count,
      entity: (_args: unknown, context: GraphqlContext) => existing(value, context),
    })),
  };
}

async function existing(text: string, context: GraphqlContext): Promise<EntityRef | undefined> {
  const ref = tryRefOf(text);
  return ref !== undefined && (await context.entities.load(ref.parsed.urn)) !== undefined ? ref : undefined;
}
