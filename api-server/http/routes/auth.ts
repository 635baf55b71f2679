import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import {
  passwordCheckAnswerSchema,
  passwordCheckSchema,
  sessionAnswerSchema,
  sessionRequestSchema,
} from '../../../model/wire/auth.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { checkedBody } from '../../request/bodies.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { beginSession, checkPassword, endSession } from '../../use-cases/sessions.ts';
import { typed } from '../typed-routes.ts';

/** What is said to those who may not log in, although they are who they say. */
const DENIALS = {
  SUSPENDED: 'This user is suspended.',
  UNKNOWN: 'There is no such user.',
  NATIVE_ACCOUNT: 'This user logs in with a password.',
} as const;

/** What the frontend asks with system credentials when people log in. */
export function authRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  const describe = <More extends object>(summary: string, more: More, success: z.ZodType) => ({
    schema: { tags: ['Access'], summary, ...more, response: { 200: success, ...errorResponses } },
  });
  server.post(
    '/auth/verifyNativeUserCredentials',
    describe('Whether a password is right; for the frontend', { body: passwordCheckSchema }, passwordCheckAnswerSchema),
    async (request) => ({
      doesPasswordMatch: await checkPassword(contextOf(parts, request), checkedBody(passwordCheckSchema, request)),
    }),
  );
  server.post(
    '/auth/generateSessionTokenForUser',
    describe('Begin a session of a user; for the frontend', { body: sessionRequestSchema }, sessionAnswerSchema),
    async (request, reply) => {
      const begun = await beginSession(contextOf(parts, request), checkedBody(sessionRequestSchema, request));
      if (!('denied' in begun)) return begun;
      const message = DENIALS[begun.denied];
      return reply.code(403 as never).send({ error: 'Forbidden', message, loginDenialReason: begun.denied } as never);
    },
  );
  server.post(
    '/auth/endSession',
    describe('End the session by which this is asked', {}, z.object({}).describe('It is over')),
    async (request) => {
      await endSession(contextOf(parts, request));
      return {};
    },
  );
}
