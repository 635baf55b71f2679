import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { KubeReviews } from '../../../kubernetes/kube-client.ts';
import { KubeError } from '../../../kubernetes/kube-error.ts';
import type { Clock } from '../../../process/clock.ts';
import { CatalogError } from '../../catalog/errors.ts';
import { AuthenticationError, type Authenticator, type Identity } from '../authenticator.ts';
import { activeAccount, callerOf } from '../stored-token.ts';
import { bearerOf, tokenIdOf } from '../token-text.ts';
import { readServiceAccountToken } from './service-account-token.ts';
import { reviewToken } from './token-review.ts';

export interface ServiceAccountOptions {
  readonly kube: KubeReviews;
  /** A token has to be made for it, so that one that was made for somebody else is of no use here. */
  readonly audience: string;
  /** Is told why tokens cannot be looked at. */
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/** So long a token is good without being asked for again, in ms: a deleted ServiceAccount has access no longer. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;
/** Reviews under way, and those that wait for their turn; more are refused at once. */
const AT_ONCE = 8;
const WAITING = 100;

interface Remembered {
  readonly identity: Identity;
  /** By the monotonic clock. */
  readonly until: number;
}

/**
 * Lets in whoever shows a token of a Kubernetes ServiceAccount, when the cluster says that it is good. What cannot be one
 * never leaves the process; while the cluster does not answer nobody is let in whom it has not named shortly before.
 * Besides AuthenticationError it throws CatalogError `unavailable`.
 */
export function createServiceAccountAuthenticator(options: ServiceAccountOptions): Authenticator {
  const { audience, clock } = options;
  // By hash: no token is kept.
  const remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });
  const reviews = new Map<string, Promise<Identity>>();
  const turns = bulkhead(AT_ONCE, WAITING);

  async function ask(key: string, token: string): Promise<Identity> {
    // Before it is asked: what the answer says can be so old.
    const until = clock.monotonic() + REMEMBERED_MS;
    const identity = await turns.execute(() => reviewToken(options.kube, token, audience)).catch(refuse);
    remembered.set(key, { identity, until });
    return identity;
  }

  function refuse(error: unknown): never {
    if (error instanceof AuthenticationError) throw error;
    if (!(error instanceof KubeError) && !(error instanceof BulkheadRejectedError)) throw error;
    options.warn(`tokens of ServiceAccounts cannot be reviewed: ${error.message}`);
    throw new CatalogError('unavailable', 'Kubernetes cannot be asked now whether the token is valid');
  }

  /** @returns `undefined` when nothing of the kind is shown. */
  async function identify(authorization: string | undefined): Promise<Identity | undefined> {
    const token = bearerOf(authorization);
    const claimed = token === undefined ? undefined : readServiceAccountToken(token);
    if (token === undefined || claimed === undefined) return undefined;
    if (!claimed.audiences.includes(audience)) throw new AuthenticationError('it is for another audience');
    if (claimed.expiresAt <= clock.now()) throw new AuthenticationError('it has expired');
    const key = tokenIdOf(token);
    const known = remembered.get(key);
    if (known !== undefined && clock.monotonic() < known.until) return known.identity;
    remembered.delete(key);
    // Requests that come together with one token are one question.
    const review = reviews.get(key) ?? ask(key, token).finally(() => reviews.delete(key));
    reviews.set(key, review);
    return await review;
  }

  return {
    async authenticate({ authorization }, registry) {
      const identity = await identify(authorization);
      if (identity === undefined) return undefined;
      // It needs no account; one that it has says what else it is, or that it is suspended.
      const { actor } = identity;
      const { groups, roles } = callerOf(actor, await activeAccount(registry, actor));
      return { ...identity, groups: [...identity.groups, ...groups], roles };
    },
  };
}
