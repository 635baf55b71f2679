import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type GraphQLError, parse } from 'graphql';
import { mercurius } from 'mercurius';
import * as z from 'zod';
import type { CatalogParts } from '../catalog/parts.ts';
import { checkedBody } from '../request/bodies.ts';
import { errorResponses } from '../request/errors.ts';
import { type GraphqlContext, graphqlContext } from './context.ts';
import { entityResolvers, readOne } from './entity-resolvers.ts';
import { documentErrors, type ErrorItem, errorItem } from './errors.ts';
import { checkCost, KEPT_DOCUMENTS, MAX_DEPTH, MAX_DOCUMENT, MAX_TOKENS } from './limits.ts';
import { mutationResolvers } from './mutations.ts';
import { LENIENT_SCALARS } from './scalars.ts';
import { entitySchema } from './schema/entities.ts';
import { SEARCH_SCHEMA } from './schema/search.ts';
import { STRUCTURED_PROPERTY_SCHEMA } from './schema/structured-properties.ts';
import { searchResolvers } from './search-resolvers.ts';
import { structuredPropertyResolvers } from './structured-properties.ts';

/** The whole schema, in the schema language. */
export const SCHEMA_TEXT = [entitySchema(), SEARCH_SCHEMA, STRUCTURED_PROPERTY_SCHEMA].join('\n');

/** Clients ask the one, and at the frontend the other. */
const PATHS = ['/api/graphql', '/api/v2/graphql'];

const bodySchema = z
  .looseObject({
    query: z.string().max(MAX_DOCUMENT).describe('A GraphQL document'),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: z.string().nullish().describe('Which operation of the document'),
  })
  .meta({ id: 'GraphqlRequest' });

const answerSchema = z
  .object({
    data: z.record(z.string(), z.unknown()).nullable(),
    errors: z.array(z.record(z.string(), z.unknown())).optional(),
    extensions: z.object({}).describe('Empty'),
  })
  .meta({ id: 'GraphqlAnswer' });

interface Execution {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}

/** GraphQL over the catalogue: POST only, one operation a request. */
export async function graphqlRoutes(server: FastifyInstance, parts: CatalogParts): Promise<void> {
  await server.register(mercurius, {
    schema: SCHEMA_TEXT,
    resolvers: resolvers() as never,
    routes: false,
    cache: KEPT_DOCUMENTS,
    queryDepth: MAX_DEPTH,
    graphql: { parseOptions: { maxTokens: MAX_TOKENS } },
    // Errors of fields. What keeps a whole document from being carried out is thrown instead.
    errorFormatter: ({ data, errors }, context) => {
      const { reply } = context as unknown as { reply: FastifyReply };
      const items = errors?.map((error) => errorItem(error as GraphQLError, reporter(reply.request))) ?? [];
      return { statusCode: 200, response: { data: data ?? null, errors: items } as never };
    },
  });
  server.graphql.addHook('preExecution', async (schema, document, context, variables) => {
    const { operationName } = context as unknown as GraphqlContext;
    checkCost(schema, document, variables ?? {}, operationName);
  });
  for (const path of PATHS) {
    server.post(
      path,
      {
        schema: {
          tags: ['GraphQL'],
          summary: 'Search, aggregate, read and change structured properties; see docs/graphql.md',
          body: bodySchema,
          response: { 200: answerSchema, ...errorResponses },
        },
      },
      async (request, reply) => answer(parts, request, reply),
    );
  }
}

async function answer(parts: CatalogParts, request: FastifyRequest, reply: FastifyReply) {
  const { query, variables, operationName } = checkedBody(bodySchema, request);
  const name = operationName || undefined;
  try {
    refuseJson(query);
    const context = graphqlContext(parts, request, name);
    const execution: Execution = await reply.graphql(query, { ...context }, variables ?? {}, name);
    return envelope(execution.data ?? null, execution.errors);
  } catch (reason) {
    const items: ErrorItem[] = documentErrors(reason).map((error) => errorItem(error, reporter(request)));
    return envelope(null, items);
  }
}

function envelope(data: unknown, errors?: readonly unknown[]) {
  return { data, ...(errors === undefined ? {} : { errors }), extensions: {} };
}

/** The library takes a JSON text for a document that was parsed before. No document is JSON. */
function refuseJson(query: string): void {
  try {
    JSON.parse(query);
  } catch {
    return;
  }
  parse(query);
}

function reporter({ log }: FastifyRequest) {
  return (fault: Error) => log.error({ err: fault }, 'a field of a GraphQL request failed');
}

/** The resolvers of the whole schema, by type and field. */
function resolvers() {
  const { Query: searches } = searchResolvers;
  const { Query: reads, ...entityTypes } = entityResolvers;
  const types: Record<string, Record<string, unknown>> = { ...entityTypes };
  for (const [typeName, fields] of Object.entries(structuredPropertyResolvers)) {
    types[typeName] = { ...types[typeName], ...fields };
  }
  return {
    ...LENIENT_SCALARS,
    ...types,
    ...mutationResolvers,
    Query: { ...reads, ...searches, structuredProperty: readOne('structuredProperty') },
  };
}
