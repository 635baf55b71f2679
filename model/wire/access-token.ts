import * as z from 'zod';
import { userUrnSchema } from '../access/actor-urn.ts';
import { TOKEN_DURATIONS } from '../access/token-duration.ts';

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
  /** In ms since 1970, within a minute; absent: never. */
  lastUsedAt: z.number().nullish(),
});

/** What is asked for. Names need not differ. */
export const newAccessTokenSchema = z.strictObject({
  type: z.literal('PERSONAL').default('PERSONAL'),
  actorUrn: userUrnSchema.describe('Whom the token acts as; there need not be such a user yet'),
  duration: z.enum(TOKEN_DURATIONS),
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2000).nullish(),
});

export type NewAccessToken = z.input<typeof newAccessTokenSchema>;
export type AccessTokenAnswer = z.output<typeof accessTokenSchema>;
