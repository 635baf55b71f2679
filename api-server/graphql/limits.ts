import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { type ComplexityEstimatorArgs, getComplexity } from 'graphql-query-complexity';
import { MAX_ANSWER_BYTES } from '../../model/limits.ts';
import { DEFAULT_FACETS, MAX_MARKED_PROPERTIES } from '../catalog/find/aggregate-entities.ts';

/**
 * What one request may ask for. The numbers leave room for what clients of the reference catalogue send (pages of 5,000,
 * documents of 10 kB, introspection 16 levels deep) and keep one request from holding up the others.
 */

/** Search results within reach of `start` and `count`, and on one page of a scroll. */
export const MAX_RESULTS = 10_000;
/** Fields inside one another, fragments included. The deepest introspection that tools send has 16. */
export const MAX_DEPTH = 25;
/** Names, punctuators and values of a document. One of 10 kB has 2,000. */
export const MAX_TOKENS = 10_000;
/** Characters of a document. Documents are kept parsed; long values belong into variables. */
export const MAX_DOCUMENT = 100_000;
/** Bytes of the parsed documents that are kept. */
export const KEPT_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Bytes of an answer: what aliases may make of the entities that one holds. */
export const MAX_ANSWER = 2 * MAX_ANSWER_BYTES;
/** About the number of values in an answer: two seconds of work during which nobody else is answered. */
export const MAX_COST = 500_000;

/** A search, a facet or a write, in values of an answer: at most a hundred of them fit into one request. */
const CALL_COST = 5_000;
/** One of many that are read together: a page of 10,000 of them is the most. */
const READ_COST = 49;

/** How long the lists are taken to be that no argument limits. */
const LIST_SIZES: Readonly<Record<string, number>> = {
  'StructuredProperties.properties': 10,
  'StructuredPropertiesEntry.valueEntities': 5,
  'StructuredPropertyDefinition.allowedValues': 10,
  'StructuredPropertyDefinition.entityTypes': 5,
  'StructuredPropertyDefinition.allowedPlatforms': 5,
  'TypeQualifier.allowedTypes': 5,
  'SchemaMetadata.fields': 50,
  'ListAccessTokenResult.tokens': 100,
  '__Schema.types': 100,
  '__Schema.directives': 5,
  '__Type.fields': 10,
  '__Type.inputFields': 10,
  '__Type.enumValues': 10,
  '__Type.possibleTypes': 10,
};

type Arguments = Readonly<Record<string, unknown>>;
type Cost = (args: Arguments, child: number) => number;

interface SearchArguments {
  readonly count?: number | null;
  readonly start?: number | null;
  readonly facets?: readonly unknown[] | null;
  readonly searchFlags?: {
    readonly maxAggValues?: number | null;
    readonly skipAggregates?: boolean | null;
    readonly includeStructuredPropertyFacets?: boolean | null;
  } | null;
}

const COSTS: Readonly<Record<string, Cost>> = {
  'Query.aggregateAcrossEntities': ({ input }, child) => {
    const { facets, searchFlags } = input as SearchArguments;
    const asked = facets?.filter((name) => name !== null).length;
    return facetCost(asked || ALL_FACETS, searchFlags, child);
  },
  'Query.entities': ({ urns }, child) => (urns as unknown[]).length * (READ_COST + child),
  'Query.entity': readCost,
  'Query.dataset': readCost,
  'Query.dataFlow': readCost,
  'Query.dataJob': readCost,
  'Query.structuredProperty': readCost,
};

const SEARCHES: ReadonlySet<string> = new Set(['Query.searchAcrossEntities', 'Query.scrollAcrossEntities']);
const SEARCH_FACETS: ReadonlySet<string> = new Set(['SearchResults.facets', 'ScrollResults.facets']);

/** Facets where none are named, with the marked properties. */
const ALL_FACETS = DEFAULT_FACETS.length + MAX_MARKED_PROPERTIES;

function searchCost({ input }: Arguments, child: number): number {
  const { count, start } = input as SearchArguments;
  return CALL_COST + within(start ?? 0) + within(count ?? 10) * child;
}

/** Of the facets beside the results of a search: they are counted once, whatever the number of their aliases. */
function searchFacetsCost({ input }: Arguments, child: number): number {
  const { searchFlags } = input as SearchArguments;
  if (searchFlags?.skipAggregates === true) return 0;
  const facets = searchFlags?.includeStructuredPropertyFacets === true ? ALL_FACETS : DEFAULT_FACETS.length;
  return facetCost(facets, searchFlags, child);
}

function facetCost(facets: number, flags: SearchArguments['searchFlags'], child: number): number {
  return facets * (CALL_COST + within(flags?.maxAggValues ?? 20) * child);
}

/** What is beyond is capped or refused. */
function within(count: number): number {
  return Math.min(Math.max(0, count), MAX_RESULTS);
}

function readCost(_args: unknown, child: number): number {
  return READ_COST + child;
}

/**
 * The cost of a field with all that is inside. The library asks from the inside out, so facets come before the search that
 * they belong to: what they ask for is kept until then, since they are as many as the search says, not as its results.
 */
function estimator(): (field: ComplexityEstimatorArgs) => number {
  let inFacets: number | undefined;
  return ({ type, field, args, childComplexity }) => {
    if (type.name === 'Mutation') return CALL_COST + childComplexity;
    const name = `${type.name}.${field.name}`;
    if (SEARCH_FACETS.has(name)) {
      inFacets = (inFacets ?? 0) + childComplexity;
      return 0;
    }
    if (SEARCHES.has(name)) {
      const facets = inFacets === undefined ? 0 : searchFacetsCost(args, inFacets);
      inFacets = undefined;
      return searchCost(args, childComplexity) + facets;
    }
    return COSTS[name]?.(args, childComplexity) ?? 1 + (LIST_SIZES[name] ?? 1) * childComplexity;
  };
}

/** @throws GraphQLError when the operation costs more than it may. */
export function checkCost(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown>,
  operationName: string | undefined,
): void {
  const named = operationName === undefined ? {} : { operationName };
  const cost = getComplexity({ schema, query, variables, estimators: [estimator()], ...named });
  if (cost <= MAX_COST) return;
  throw new GraphQLError(
    `The query costs about ${Math.round(cost)}, more than ${MAX_COST}: ask for fewer entities, facets or fields at a time`,
  );
}
