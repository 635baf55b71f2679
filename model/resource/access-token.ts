import * as z from 'zod';
import { userUrnOf, userUrnSchema } from '../access/actor-urn.ts';
import { lengthOf, TOKEN_DURATIONS, type TokenDuration } from '../access/token-duration.ts';
import { admission, celText } from './admission.ts';
import { ALWAYS } from './rules.ts';

/** Longest description of a token, in characters, as forms have it. */
export const LONGEST_TOKEN_TEXT = 500;

/** A token that nobody renews has to end some day. */
const DURATIONS = TOKEN_DURATIONS.filter((duration) => duration !== 'NO_EXPIRY');
type Duration = Exclude<TokenDuration, 'NO_EXPIRY'>;

/** Of a URN, in characters. */
const LONGEST_ACTOR = 416;

const SECRET_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const SECRET_KEY = /^[-._a-zA-Z0-9]+$/;
/** As Go and CEL read it, with one unit. */
const TIME = /^[1-9][0-9]{0,4}[hm]$/;

const ACTOR_FORM = 'must be the name of a user, or urn:li:corpuser:NAME';
const TOO_LONG = 'renewBefore must be shorter than duration';

function urnOf(actor: string): string {
  return actor.startsWith('urn:') ? actor : userUrnOf(actor);
}

/** How long before its end a token is renewed when the spec says so, in ms. */
function timeOf(text: string): number {
  return Number.parseInt(text, 10) * (text.endsWith('h') ? 3_600_000 : 60_000);
}

const LENGTHS_IN_CEL = DURATIONS.map((one) => `${celText(one)}: duration('${lengthOf(one)! / 60_000}m')`).join(', ');

/** `spec` of an AccessToken: a token in a Secret, for as long as the resource is there. */
export const accessTokenSpec = z
  .strictObject({
    actor: z
      .string()
      .min(1)
      .max(LONGEST_ACTOR)
      .regex(/^\S+$/, { error: 'must not contain blanks' })
      .refine((actor) => userUrnSchema.safeParse(urnOf(actor)).success, { error: ACTOR_FORM })
      .meta({
        description: 'Whom the token acts as: the name of a user, or its URN',
        ...admission({ rule: `!self.startsWith('urn:') || self.startsWith('${userUrnOf('')}')`, message: ACTOR_FORM }),
      }),
    duration: z
      .enum(DURATIONS as [Duration, ...Duration[]])
      .default('ONE_MONTH')
      .describe('How long a token lives; another one takes its place after two thirds of that'),
    renewBefore: z
      .string()
      .max(6)
      .regex(TIME, { error: 'must be hours or minutes, such as 36h or 90m' })
      .optional()
      .describe('Or so long before its end: hours or minutes, such as 36h or 90m'),
    secretName: z
      .string()
      .max(253)
      .regex(SECRET_NAME, { error: 'must be the name of a Secret' })
      .describe('Name of the Secret in this namespace that holds the token; the operator makes it'),
    secretKey: z
      .string()
      .min(1)
      .max(253)
      .regex(SECRET_KEY, { error: 'must be letters, digits, -, _ and .' })
      .default('token')
      .describe('Key of the token in the Secret'),
    description: z.string().max(400).optional().describe('What the token is for, as lists of tokens show it'),
  })
  .superRefine((spec, context) => {
    const life = DURATIONS.find((one) => one === spec?.duration);
    if (life === undefined || typeof spec.renewBefore !== 'string' || !TIME.test(spec.renewBefore)) return;
    if (timeOf(spec.renewBefore) >= lengthOf(life)!)
      context.addIssue({ code: 'custom', path: ['renewBefore'], message: TOO_LONG });
  }, ALWAYS)
  .meta({
    id: 'AccessTokenSpec',
    description: 'An access token that a Secret shall hold',
    ...admission({
      rule: `!has(self.renewBefore) || duration(self.renewBefore) < {${LENGTHS_IN_CEL}}[self.duration]`,
      message: TOO_LONG,
      fieldPath: '.renewBefore',
    }),
  });

export type AccessTokenSpec = z.output<typeof accessTokenSpec>;

/** URN of whom the token acts as. */
export function actorUrnOf({ actor }: AccessTokenSpec): string {
  return urnOf(actor);
}

/** How long a token lives, in ms. */
export function lifeOf({ duration }: AccessTokenSpec): number {
  return lengthOf(duration)!;
}

/** When a token is to be renewed, in ms since 1970. */
export function renewalOf(spec: AccessTokenSpec, token: { readonly createdAt: number }): number {
  const life = lifeOf(spec);
  const after = spec.renewBefore === undefined ? Math.floor((life * 2) / 3) : life - timeOf(spec.renewBefore);
  return token.createdAt + after;
}
