import type { AccessToken } from '../../../client/access-tokens.ts';
import { type AccessTokenSpec, actorUrnOf, lifeOf, renewalOf } from '../../../model/resource/access-token.ts';
import { checkDeletion, checkPaused, checkValid, letGo, protect } from '../common-steps.ts';
import { instructionsFor, OBSERVE_ONLY } from '../instructions.ts';
import { at } from '../messages.ts';
import { done, type Ended, type Outcome, proceed, readyUntil, terminal } from '../outcome.ts';
import { type Step, type Tools, wishOf } from '../step.ts';
import { differencesIn, observe } from './observe.ts';
import {
  type AccessTokenWork,
  observationOf,
  ownerOfSecret,
  placeOf,
  tokenDescription,
  tokenNameOf,
  tokenTools,
} from './work.ts';

/** So long the token of before stays good: until everybody has the new one from the Secret, in ms. */
const LONGEST_GRACE = 3_600_000;
/** Whatever the clocks of two machines say, nothing is renewed more often. */
const SHORTEST_WAIT = 60_000;

/** The reconcile of an AccessToken. Paused and deletion come before anything that can wait. */
export const ACCESS_TOKEN_STEPS: readonly Step<AccessTokenWork>[] = [
  { name: 'deletion', run: checkDeletion },
  { name: 'paused', run: checkPaused },
  { name: 'delete', run: revokeAll },
  { name: 'validate', run: checkValid },
  { name: 'supported', run: checkSupported },
  { name: 'actor', run: checkActor },
  { name: 'observe', run: observe },
  { name: 'observe-only', run: compareOnly },
  { name: 'conflict', run: checkConflict },
  { name: 'protect', run: protect },
  { name: 'revoke', run: revokeStrays },
  { name: 'compare', run: compare },
  { name: 'issue', run: issue },
];

async function revokeAll(work: AccessTokenWork, tools: Tools): Promise<Outcome> {
  const { entry } = work;
  if (!entry.deleting) return proceed;
  const revoked = instructionsFor(entry).observeOnly ? 0 : await revokeTokens(work, tools, () => true);
  // The Secret goes with its owner.
  return await letGo(work, tools, revoked === 0 ? 'there was no token' : 'its token is revoked');
}

function checkSupported({ entry }: AccessTokenWork, { accessTokens }: Tools): Outcome {
  if (accessTokens !== undefined) return proceed;
  return terminal('Unsupported', at(entry, 'a token is kept in a Secret: that takes an operator on a cluster'));
}

/** Whoever may write a resource would otherwise get tokens of everybody. */
async function checkActor(work: AccessTokenWork, tools: Tools): Promise<Outcome> {
  const { id, spec } = wishOf(work);
  const actor = actorUrnOf(spec);
  if (tokenTools(tools).mayActAs(id.namespace, actor)) return proceed;
  if (!instructionsFor(work.entry).observeOnly) await revokeTokens(work, tools, () => true);
  const message = `${id.namespace} may have no token of ${spec.actor}: ACCESS_TOKEN_ACTORS of the operator does not say so`;
  return terminal('ActorNotAllowed', at(work.entry, message));
}

function compareOnly(work: AccessTokenWork, tools: Tools): Outcome {
  if (!instructionsFor(work.entry).observeOnly) return proceed;
  work.report.differences = differencesIn(work, tokenTools(tools).clock.now());
  return done('ready', OBSERVE_ONLY, 'compared only; nothing is written');
}

function checkConflict(work: AccessTokenWork): Outcome {
  if (observationOf(work).secret.kind !== 'foreign') return proceed;
  const message = `the Secret ${wishOf(work).spec.secretName} is there and was made by somebody else: name another one`;
  return terminal('Conflict', at(work.entry, message));
}

/** Revokes what was made and came into no Secret, since somebody was killed in between, and what has had its time. */
async function revokeStrays(work: AccessTokenWork, tools: Tools): Promise<Outcome> {
  const { secret, current } = observationOf(work);
  const now = tokenTools(tools).clock.now();
  const kept = new Set([handedOut(work)]);
  if (secret.kind === 'own' && current !== undefined && now < endOfGrace(work, current))
    kept.add(secret.kept?.previousId);
  await revokeTokens(work, tools, ({ id }) => !kept.has(id));
  return proceed;
}

function compare(work: AccessTokenWork, tools: Tools): Outcome {
  const { current } = observationOf(work);
  if (current === undefined || differencesIn(work, tokenTools(tools).clock.now()).length > 0) return proceed;
  return conclude(work, current, tools);
}

async function issue(work: AccessTokenWork, tools: Tools): Promise<Outcome> {
  const { catalogue, secrets, clock } = tokenTools(tools);
  const resource = wishOf(work);
  const { spec } = resource;
  const { current } = observationOf(work);
  const owner = ownerOfSecret(work.entry);
  const differences = differencesIn(work, clock.now());
  const previousId = handedOut(work);
  const { accessToken, metadata } = await catalogue.create({
    actorUrn: actorUrnOf(spec),
    duration: spec.duration,
    name: tokenNameOf(owner.uid),
    description: tokenDescription(resource),
  });
  try {
    const kept = { tokenId: metadata.id, ...(previousId === undefined ? {} : { previousId }) };
    await secrets.write(owner, placeOf(resource), accessToken, kept);
  } catch (error) {
    // Whoever looks next would find and revoke it; better nobody has to.
    await catalogue.revoke(metadata.id).catch(() => undefined);
    throw error;
  }
  work.report.written.push(`Secret ${spec.secretName} holds a token until ${endOf(metadata)}`);
  // That a token is renewed is no drift.
  if (work.settled && current === undefined) for (const each of differences) work.report.drift.push(each);
  return conclude(work, metadata, tools);
}

function conclude(work: AccessTokenWork, token: AccessToken, tools: Tools): Ended {
  const { spec } = wishOf(work);
  const now = tokenTools(tools).clock.now();
  const renewal = renewalOf(spec, token);
  Object.assign(work.report, {
    tokenId: token.id,
    expiresAt: endOf(token),
    renewsAt: new Date(renewal).toISOString(),
    secretName: spec.secretName,
  });
  const grace = endOfGrace(work, token);
  const next = now < grace ? Math.min(grace, renewal) : renewal;
  const message = `the Secret ${spec.secretName} holds a token of ${spec.actor} until ${endOf(token)}`;
  return readyUntil(Math.max(next - now, SHORTEST_WAIT), 'Applied', message);
}

/** The token that its users have: as the Secret says or, when that is gone or edited, as was last reported. */
function handedOut({ observation, entry }: AccessTokenWork): string | undefined {
  const kept = observation?.secret.kind === 'own' ? observation.secret.kept : undefined;
  return kept?.tokenId ?? entry.status?.tokenId;
}

/** When the token is revoked that was in the Secret before this one. */
function endOfGrace(work: AccessTokenWork, { createdAt }: AccessToken): number {
  return createdAt + graceOf(wishOf(work).spec);
}

function graceOf(spec: AccessTokenSpec): number {
  return Math.min(LONGEST_GRACE, lifeOf(spec) / 6);
}

function endOf({ expiresAt }: AccessToken): string {
  return typeof expiresAt === 'number' ? new Date(expiresAt).toISOString() : '';
}

/** @returns how many. */
async function revokeTokens(
  { entry, observation }: AccessTokenWork,
  { accessTokens }: Tools,
  isMeant: (token: AccessToken) => boolean,
): Promise<number> {
  if (accessTokens === undefined || entry.uid === undefined) return 0;
  const { catalogue } = accessTokens;
  const tokens = observation?.tokens ?? (await catalogue.tokensNamed(tokenNameOf(entry.uid)));
  const meant = tokens.filter(isMeant);
  for (const { id } of meant) await catalogue.revoke(id);
  return meant.length;
}
