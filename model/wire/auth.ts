import * as z from 'zod';
import { errorBodySchema } from './error-body.ts';

/** What the frontend asks the API server, with system credentials, when somebody logs in. */

const text = z.string().min(1);

/** `POST /auth/verifyNativeUserCredentials`. A user is named by exactly one of two. */
export const passwordCheckSchema = z
  .strictObject({
    userUrn: text.exactOptional(),
    username: text.exactOptional().describe('The key of that URN'),
    password: z.string(),
  })
  .refine(({ userUrn, username }) => (userUrn === undefined) !== (username === undefined), {
    error: 'exactly one of userUrn and username is needed',
  });

export const passwordCheckAnswerSchema = z.object({
  doesPasswordMatch: z.boolean().describe('false for an unknown user too'),
});

/** `POST /auth/generateSessionTokenForUser`. */
export const sessionRequestSchema = z.strictObject({
  userId: text.describe('The key of the URN of a user'),
  oidc: z
    .strictObject({
      displayName: text.exactOptional(),
      email: text.exactOptional(),
      groups: z.array(text).exactOptional().describe('Names; absent: the provider does not say'),
    })
    .exactOptional()
    .describe('What an OIDC provider says of the user, who gets an account at the first login'),
});

export const sessionAnswerSchema = z.object({
  accessToken: text.describe('The session token, a bearer token'),
  expiresAt: z.number().describe('ms since 1970'),
});

/** Beside 403: who may not log in, although they are who they say. */
export const loginDeniedSchema = errorBodySchema.extend({
  loginDenialReason: z.string().describe('A word, such as SUSPENDED'),
});

export type PasswordCheck = Readonly<z.output<typeof passwordCheckSchema>>;
export type SessionRequest = Readonly<z.output<typeof sessionRequestSchema>>;
export type SessionAnswer = Readonly<z.output<typeof sessionAnswerSchema>>;

/** Header `Authorization` of our own parts: in clear, as the reference catalogue has it. */
export function systemAuthorization(clientId: string, secret: string): string {
  return `Basic ${clientId}:${secret}`;
}
