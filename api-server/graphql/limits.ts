import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { type ComplexityEstimatorArgs, getComplexity } from 'graphql-query-complexity';

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
/** Parsed documents that are kept. */
export const KEPT_DOCUMENTS = 200;
/** About the number of values in an answer: two seconds of work during which nobody else is answered. */
export const MAX_COST = 500_000;

/** A search, a facet or a write, in values of an answer: at most a hundred of them fit into one request. */
const CALL_COST = 5_000;
/** One of many that are read together: a page of 10,000 of them is the most. */
const READ_COST = 49;

/** How long the lists are taken to be that no argument limits. */
const LIST_SIZES: Readonly<Record<string, number>> = {
  'SearchResults.facets': 3,
  'ScrollResults.facets': 3,
  'StructuredProperties.properties': 10,
  'StructuredPropertiesEntry.valueEntities': 5,
  'StructuredPropertyDefinition.allowedValues': 10,
  'StructuredPropertyDefinition.entityTypes': 5,
  'StructuredPropertyDefinition.allowedPlatforms': 5,
  'TypeQualifier.allowedTypes': 5,
  'SchemaMetadata.fields': 50,
};

type Cost = (args: Readonly<Record<string, unknown>>, child: number) => number;

const COSTS: Readonly<Record<string, Cost>> = {
  'Query.searchAcrossEntities': searchCost,
  'Query.scrollAcrossEntities': searchCost,
  'Query.aggregateAcrossEntities': ({ input }, child) => {
    const { facets, searchFlags } = input as { facets?: unknown[]; searchFlags?: { maxAggValues?: number } };
    return Math.max(3, facets?.length ?? 0) * (CALL_COST + (searchFlags?.maxAggValues ?? 20) * child);
  },
  'Query.entities': ({ urns }, child) => (urns as unknown[]).length * (READ_COST + child),
  'Query.entity': readCost,
  'Query.dataset': readCost,
  'Query.dataFlow': readCost,
  'Query.dataJob': readCost,
  'Query.structuredProperty': readCost,
};

function searchCost({ input }: Readonly<Record<string, unknown>>, child: number): number {
  const { count, start } = input as { count?: number | null; start?: number | null };
  return CALL_COST + within(start ?? 0) + within(count ?? 10) * child;
}

/** What is beyond is capped or refused. */
function within(count: number): number {
  return Math.min(Math.max(0, count), MAX_RESULTS);
}

function readCost(_args: unknown, child: number): number {
  return READ_COST + child;
}

function costOf({ type, field, args, childComplexity }: ComplexityEstimatorArgs): number {
  if (type.name === 'Mutation') return CALL_COST + childComplexity;
  const name = `${type.name}.${field.name}`;
  return COSTS[name]?.(args, childComplexity) ?? 1 + (LIST_SIZES[name] ?? 1) * childComplexity;
}

/** @throws GraphQLError when the operation costs more than it may. */
export function checkCost(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown>,
  operationName: string | undefined,
): void {
  const named = operationName === undefined ? {} : { operationName };
  const cost = getComplexity({ schema, query, variables, estimators: [costOf], ...named });
  if (cost <= MAX_COST) return;
  throw new GraphQLError(
    `The query costs about ${Math.round(cost)}, more than ${MAX_COST}: ask for fewer entities, facets or fields at a time`,
  );
}
