import type { AccessToken } from '../../../client/access-tokens.ts';
import { type AccessTokenSpec, actorUrnOf, lifeOf, renewalOf } from '../../../model/resource/access-token.ts';
import { type Outcome, proceed } from '../outcome.ts';
import { type Tools, wishOf } from '../step.ts';
import { type AccessTokenWork, ownerOfSecret, placeOf, tokenNameOf, tokenTools } from './work.ts';

/** Servers may cut the end of a token to seconds. */
const TOLERANCE = 60_000;

export async function observe(work: AccessTokenWork, tools: Tools): Promise<Outcome> {
  const { catalogue, secrets, clock } = tokenTools(tools);
  const resource = wishOf(work);
  const owner = ownerOfSecret(work.entry);
  // The Secret first: what it names cannot be missing from the list unless it is revoked.
  const secret = await secrets.read(owner, placeOf(resource));
  const tokens = await catalogue.tokensNamed(tokenNameOf(owner.uid));
  const held = secret.kind === 'own' ? secret.kept?.tokenId : undefined;
  const current = tokens.find((token) => token.id === held && isAsWished(token, resource.spec, clock.now()));
  work.observation = { secret, tokens, ...(current === undefined ? {} : { current }) };
  return proceed;
}

function isAsWished(token: AccessToken, spec: AccessTokenSpec, now: number): boolean {
  if (token.actorUrn !== actorUrnOf(spec)) return false;
  const { createdAt, expiresAt } = token;
  if (typeof expiresAt !== 'number' || Math.abs(expiresAt - createdAt - lifeOf(spec)) > TOLERANCE) return false;
  return now < expiresAt;
}

/** What differs from the wish, for people. */
export function differencesIn(work: AccessTokenWork, now: number): string[] {
  const { secret, current, tokens } = work.observation ?? { secret: { kind: 'absent' }, tokens: [] };
  const { spec } = wishOf(work);
  if (secret.kind === 'absent') return [`the Secret ${spec.secretName} does not exist`];
  if (secret.kind === 'foreign') return [`the Secret ${spec.secretName} was made by somebody else`];
  if (secret.kept === undefined)
    return [`the Secret ${spec.secretName} holds no token at ${spec.secretKey}, or an edited one`];
  if (current !== undefined) return now < renewalOf(spec, current) ? [] : ['the token is to be renewed'];
  return tokens.some(({ id }) => id === secret.kept?.tokenId)
    ? ['the token has ended, or is not as wished']
    : ['the token was revoked'];
}
