import type { SessionRequest } from '../../model/wire/auth.ts';
import { LogInError } from '../log-in-error.ts';

interface ClaimNames {
  readonly userNameClaim: string;
  /** Absent: groups are not looked at. */
  readonly groupsClaim?: string;
}

/** What a provider says of somebody: the claims of the token, and of its page about the user. */
export type Claims = Readonly<Record<string, unknown>>;

/** @throws LogInError `denied` when the claims do not say who it is. */
export function userOfClaims(claims: Claims, { userNameClaim, groupsClaim }: ClaimNames): SessionRequest {
  const userId = textOf(claims[userNameClaim]);
  if (userId === undefined) {
    throw new LogInError('denied', `The provider does not say the "${userNameClaim}" by which users are named here.`);
  }
  // Whoever may type in any address there would be whoever they like here.
  if (userNameClaim === 'email' && claims.email_verified === false) {
    throw new LogInError('denied', 'The provider has not checked yet that this e-mail address is yours.');
  }
  const displayName = textOf(claims.name) ?? fullName(claims);
  const email = textOf(claims.email);
  const groups = groupsClaim === undefined ? undefined : groupsOf(claims[groupsClaim]);
  return {
    userId,
    oidc: {
      ...(displayName === undefined ? {} : { displayName }),
      ...(email === undefined ? {} : { email }),
      ...(groups === undefined ? {} : { groups }),
    },
  };
}

function fullName({ given_name, family_name }: Claims): string | undefined {
  return textOf([given_name, family_name].filter((part) => typeof part === 'string').join(' '));
}

/** A list of names, or one name; what is neither says nothing of groups. */
function groupsOf(claim: unknown): string[] | undefined {
  if (claim === undefined || claim === null) return undefined;
  return [...new Set([claim].flat().map(textOf))].filter((name) => name !== undefined);
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined;
}
