import { type FastifyInstance, fastify } from 'fastify';
import { PAGES_FOLDER, servePages } from '../../frontend/pages.ts';
import type { PrivilegeName } from '../../model/access/privileges.ts';

/** What a made-up frontend with an API server behind it is like. */
export interface Scene {
  /** True by default. */
  readonly authEnabled?: boolean;
  /** Whether somebody has logged in; true by default. */
  readonly signedIn?: boolean;
  /** Of type PLATFORM; all by default. */
  readonly privileges?: readonly PrivilegeName[];
  /** There is nothing in any list. */
  readonly empty?: boolean;
  /** Paths that are answered with 500. */
  readonly failing?: RegExp;
  /** The name of another place to sign in. */
  readonly oidc?: string;
}

export interface FakeRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

export interface FakeApi {
  /** `http://host:port` */
  readonly url: string;
  /** What has been asked of the API, in order. */
  readonly requests: readonly FakeRequest[];
  stop(): Promise<void>;
}

/** Adds routes to it. GraphQL operations are answered by the name of their one field. */
export type FakePart = (server: FastifyInstance, graphql: Map<string, GraphqlField>, scene: Scene) => void;

/** @returns what stands in `data`. @throws FakeError */
export type GraphqlField = (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>;

export class FakeError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Serves the built pages with answers that are made up, for what is shown of answers that a real server seldom gives. */
export async function startFakeApi(scene: Scene, parts: readonly FakePart[]): Promise<FakeApi> {
  const server = fastify();
  const requests: FakeRequest[] = [];
  server.addHook('preHandler', async ({ method, url, body }) => {
    if (url.startsWith('/api/') || url.startsWith('/log')) requests.push({ method, url, body });
  });
  server.addHook('onRequest', async ({ url }, reply) => {
    reply.header('x-request-id', 'request-1');
    if (scene.failing?.test(url)) {
      return reply
        .code(500)
        .send({ error: 'Internal Server Error', message: 'An unknown error occurred. The log has more.' });
    }
  });
  server.setErrorHandler((error, _request, reply) => {
    const status = error instanceof FakeError ? error.status : 500;
    return reply.code(status).send({ error: 'Made up', message: (error as Error).message });
  });
  const graphql = new Map<string, GraphqlField>();
  server.post('/api/v2/graphql', async (request) => {
    const { query, variables } = request.body as { query: string; variables: Record<string, unknown> };
    const name = /\{\s*(\w+)/u.exec(query)?.[1] ?? '';
    const field = graphql.get(name);
    if (field === undefined) return { errors: [{ message: `no field ${name}`, extensions: { code: 400 } }] };
    try {
      return { data: field(variables) };
    } catch (error) {
      const { message, status } = error as FakeError;
      return { data: null, errors: [{ message, extensions: { code: status } }] };
    }
  });
  for (const part of parts) part(server, graphql, scene);
  await servePages(server, PAGES_FOLDER);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, requests, stop: () => server.close() };
}
