import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  parse,
} from 'graphql';
import { mercurius } from 'mercurius';
import * as z from 'zod';
import type { CatalogParts } from '../catalog/parts.ts';
import { checkedBody } from '../request/bodies.ts';
import { CHALLENGE, ERROR_TABLE, errorResponses } from '../request/errors.ts';
import { accessResolvers } from './access-resolvers.ts';
import { sizeUpTo } from './answer-size.ts';
import { type GraphqlContext, graphqlContext } from './context.ts';
import { KnownDocuments } from './documents.ts';
import { entityResolvers, readOne } from './entity-resolvers.ts';
import { documentErrors, type ErrorItem, errorItem } from './errors.ts';
import { checkCost, MAX_ANSWER, MAX_DEPTH, MAX_DOCUMENT, MAX_TOKENS } from './limits.ts';
import { mutationResolvers } from './mutations.ts';
import { LENIENT_SCALARS } from './scalars.ts';
import { ACCESS_SCHEMA } from './schema/access.ts';
import { entitySchema } from './schema/entities.ts';
import { SEARCH_SCHEMA } from './schema/search.ts';
import { STRUCTURED_PROPERTY_SCHEMA } from './schema/structured-properties.ts';
import { searchResolvers } from './search-resolvers.ts';
import { structuredPropertyResolvers } from './structured-properties.ts';

/** The whole schema, in the schema language. */
export const SCHEMA_TEXT = [entitySchema(), SEARCH_SCHEMA, STRUCTURED_PROPERTY_SCHEMA, ACCESS_SCHEMA].join('\n');

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
    // It can bound them by their number only.
    cache: false,
    queryDepth: MAX_DEPTH,
    graphql: { parseOptions: { maxTokens: MAX_TOKENS } },
    // Errors of fields. What keeps a whole document from being carried out is thrown instead.
    errorFormatter: ({ data, errors }, context) => {
      const { reply } = context as unknown as { reply: FastifyReply };
      const items = errors?.map((error) => errorItem(error as GraphQLError, reporter(reply.request))) ?? [];
      return { statusCode: 200, response: { data: data ?? null, errors: items } as never };
    },
  });
  const known = new KnownDocuments();
  // Reached by what was read and found right.
  server.graphql.addHook('preExecution', async (schema, document, context, variables) => {
    const { operationName, text } = context as unknown as GraphqlContext;
    known.keep(text, document);
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
      async (request, reply) => answer({ parts, known, schema: server.graphql.schema }, request, reply),
    );
  }
}

interface Graphql {
  readonly parts: CatalogParts;
  readonly known: KnownDocuments;
  readonly schema: GraphQLSchema;
}

async function answer({ parts, known, schema }: Graphql, request: FastifyRequest, reply: FastifyReply) {
  const { query, variables, operationName } = checkedBody(bodySchema, request);
  const name = operationName || undefined;
  try {
    const context = graphqlContext(parts, request, query, name);
    const document = known.find(query);
    const execution =
      document === undefined
        ? await readAndCarryOut(reply, query, context, variables ?? {})
        : await carryOut(schema, document, context, variables ?? {}, reporter(request));
    if (sizeUpTo(MAX_ANSWER, execution.data) > MAX_ANSWER) throw tooLarge();
    return envelope(reply, execution.data ?? null, execution.errors as readonly ErrorItem[] | undefined);
  } catch (reason) {
    const items: ErrorItem[] = documentErrors(reason).map((error) => errorItem(error, reporter(request)));
    return envelope(reply, null, items);
  }
}

function readAndCarryOut(
  reply: FastifyReply,
  query: string,
  context: GraphqlContext,
  variables: Record<string, unknown>,
): Promise<Execution> {
  refuseJson(query);
  return reply.graphql(query, { ...context }, variables, context.operationName);
}

/** What the library does with a document that it has read. */
async function carryOut(
  schema: GraphQLSchema,
  document: DocumentNode,
  context: GraphqlContext,
  variableValues: Record<string, unknown>,
  report: (fault: Error) => void,
): Promise<Execution> {
  const { operationName } = context;
  const operation = getOperationAST(document, operationName);
  const variables = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues);
  // Otherwise it is refused for them, below.
  if (operation && variables.errors === undefined) checkCost(schema, document, variableValues, operationName);
  const { data, errors } = await execute({ schema, document, contextValue: context, variableValues, operationName });
  return errors === undefined ? { data } : { data, errors: errors.map((error) => errorItem(error, report)) };
}

function tooLarge(): GraphQLError {
  return new GraphQLError(
    `The answer would have more than ${MAX_ANSWER} bytes: ask for fewer entities or fields at a time`,
  );
}

/** What was refused to the caller is told as over every other door too: by the status, and in the one shape of errors. */
function envelope(reply: FastifyReply, data: unknown, errors?: readonly ErrorItem[]) {
  const told = { data, ...(errors === undefined ? {} : { errors }), extensions: {} };
  const refused = errors?.find(({ extensions }) => extensions.type === 'UNAUTHORIZED');
  if (refused === undefined) return told;
  const { status, error } = ERROR_TABLE.unauthorized;
  reply.code(status).header('www-authenticate', CHALLENGE);
  return { error, message: refused.message, ...told };
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
    Mutation: { ...mutationResolvers.Mutation, ...accessResolvers.Mutation },
    Query: { ...reads, ...searches, ...accessResolvers.Query, structuredProperty: readOne('structuredProperty') },
  };
}
