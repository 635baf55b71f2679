import { createHmac } from 'node:crypto';
import { MOST_APART } from '../../process/clock.ts';
import { ThrottledError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { changeRecord } from '../store/change-record.ts';
import { type Expiring, noteExpiry } from './expiring.ts';
import { networkOf } from './network.ts';

/**
 * Guessing passwords takes long, on all replicas together. Attempts are counted for each user name and for each address,
 * before the password is looked at, so that many at one time are counted, too. After some the next ones have to wait, each
 * time twice as long, a minute at most; after an hour without an attempt all is forgotten.
 *
 * Who guesses the password of somebody else cannot keep the owner out for good: an address from which the user has logged
 * in within a month has a count of its own for that user, which attempts from elsewhere do not raise. From an address that
 * is new the owner waits a minute at most for the next attempt, for as long as somebody else goes on.
 *
 * There are no more records than buckets, whatever names and addresses are tried. Who shares one is made to wait for the
 * other; nobody can choose whom, for buckets follow from a secret.
 */

const KIND = 'loginFailures';

const MINUTE = 60_000;
const LONGEST_WAIT = MINUTE;
const FORGOTTEN_AFTER = 60 * MINUTE;
const KNOWN_FOR = 30 * 24 * 60 * MINUTE;

interface Count {
  readonly name: 'user' | 'address' | 'pair';
  /** Attempts that nobody waits after. Behind one address there may be many users. */
  readonly free: number;
  readonly buckets: number;
}

const USER: Count = { name: 'user', free: 5, buckets: 4_096 };
const ADDRESS: Count = { name: 'address', free: 20, buckets: 4_096 };
/** Of a user and an address that he has logged in from. */
const PAIR: Count = { name: 'pair', free: 5, buckets: 65_536 };

interface Attempts extends Expiring {
  readonly failures: number;
  /** In ms since 1970, as the next: sooner the next attempt is refused. */
  readonly until: number;
  readonly last: number;
  /** Of a pair: the user has logged in there, the last time then. */
  readonly knownAt?: number;
}

interface Counted {
  readonly count: Count;
  readonly id: string;
}

export interface LoginAttempt {
  /** The password was right: it was no attempt to guess it. */
  succeeded(): Promise<void>;
}

/**
 * Counts an attempt to log in.
 * @param user URN, whether there is such a user or not. @param address of the client, as far as it is known.
 * @throws ThrottledError when it is too early for another one; it is not counted then.
 */
export async function countLogin(
  parts: CatalogParts,
  { user, address }: { readonly user: string; readonly address?: string | undefined },
): Promise<LoginAttempt> {
  const { records } = parts.store;
  const network = address === undefined ? undefined : networkOf(address);
  const pair = network === undefined ? undefined : counted(parts, PAIR, `${network} ${user}`);
  const known = pair === undefined ? undefined : (await records.get<Attempts>(KIND, pair.id))?.body;
  const isKnown = known?.knownAt !== undefined && parts.now() - known.knownAt < KNOWN_FOR;
  const own = pair !== undefined && isKnown ? pair : counted(parts, USER, user);
  const all = network === undefined ? [own] : [own, counted(parts, ADDRESS, network)];
  for (const { id } of all) demandNoWait((await records.get<Attempts>(KIND, id))?.body, parts.now());
  for (const each of all) await change(parts, each, (standing) => raised(standing, each.count, parts.now()));
  return {
    async succeeded() {
      for (const each of all) await change(parts, each, (standing) => lowered(standing, each === own, parts.now()));
      if (pair === undefined) return;
      const knownAt = parts.now();
      await change(parts, pair, (standing) => ({
        ...(standing ?? none(knownAt)),
        knownAt,
        removeAt: knownAt + KNOWN_FOR,
      }));
    },
  };
}

/** @throws ThrottledError, also when somebody else has tried meanwhile. */
function raised(standing: Attempts | undefined, { free }: Count, now: number): Attempts {
  demandNoWait(standing, now);
  const isForgotten = standing === undefined || Math.abs(now - standing.last) > FORGOTTEN_AFTER;
  const failures = (isForgotten ? 0 : standing.failures) + 1;
  const wait = failures <= free ? 0 : Math.min(LONGEST_WAIT, 1000 * 2 ** (failures - free));
  const removeAt = Math.max(now + FORGOTTEN_AFTER, standing?.knownAt === undefined ? 0 : standing.removeAt);
  return { ...standing, failures, until: now + wait, last: now, removeAt };
}

/** The user's own count begins anew; of an address only the attempt that was none is taken back. */
function lowered(standing: Attempts | undefined, isOwn: boolean, now: number): Attempts {
  const { failures } = standing ?? none(now);
  return { ...(standing ?? none(now)), failures: isOwn ? 0 : Math.max(0, failures - 1), until: now };
}

function none(now: number): Attempts {
  return { failures: 0, until: now, last: now, removeAt: now + FORGOTTEN_AFTER };
}

function demandNoWait(standing: Attempts | undefined, now: number): void {
  const wait = (standing?.until ?? now) - now;
  // A longer one was noted by a clock that was wrong.
  if (wait <= 0 || wait > LONGEST_WAIT + MOST_APART) return;
  const seconds = Math.ceil(wait / 1000);
  throw new ThrottledError(`Too many attempts to log in. Try again in ${seconds} seconds.`, seconds);
}

async function change(
  { store: { records } }: CatalogParts,
  { id }: Counted,
  next: (standing: Attempts | undefined) => Attempts,
): Promise<void> {
  let isNew = false;
  const { removeAt } = await changeRecord(records, { kind: KIND, id }, (standing: Attempts | undefined) => {
    isNew = standing === undefined;
    return next(standing);
  });
  if (isNew) await noteExpiry(records, { kind: KIND, id }, removeAt);
}

function counted({ auth: { keys } }: CatalogParts, count: Count, text: string): Counted {
  const digest = createHmac('sha256', keys?.current.key ?? 'access control is off')
    .update(`${count.name} ${text}`)
    .digest();
  return { count, id: `${count.name}-${digest.readUInt32BE() % count.buckets}` };
}
