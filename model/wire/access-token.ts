import * as z from 'zod';

/** What is known of an access token, as GraphQL tells it. The token itself is told once, when it is made. */
export const accessTokenSchema = z.object({
  /** By which it is revoked. */
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  /** URN of whom it acts as. */
  actorUrn: z.string(),
  /** URN of who made it. */
  ownerUrn: z.string(),
  /** In ms since 1970. */
  createdAt: z.number(),
  /** In ms since 1970; absent: it never ends. */
  expiresAt: z.number().nullish(),
});

export type AccessTokenAnswer = z.output<typeof accessTokenSchema>;
