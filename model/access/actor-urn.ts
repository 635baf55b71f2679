import * as z from 'zod';

const USER = 'urn:li:corpuser:';
const GROUP = 'urn:li:corpGroup:';

/** What follows the prefix, in characters: a ServiceAccount's name has up to 340. */
const LONGEST_NAME = 400;

/** Of a person, of a ServiceAccount, or of one of our own parts. */
export const userUrnSchema = actorUrn(USER);
export const groupUrnSchema = actorUrn(GROUP);

export function userUrnOf(userName: string): string {
  return USER + userName;
}

export function groupUrnOf(name: string): string {
  return GROUP + name;
}

/**
 * Names by which ServiceAccounts and parts of the server itself are known, and their groups: nobody gets an account or a
 * group of such a name, or he would have what policies grant to them.
 */
export function isReservedName(name: string): boolean {
  return /^(?:system:|__)/iu.test(name.normalize('NFKC').trim());
}

/** @param urn of a user. */
export function userNameOf(urn: string): string {
  return urn.slice(USER.length);
}

function actorUrn(prefix: string) {
  const name = `[^\\s\\p{C}](?:[^\\p{C}]{0,${LONGEST_NAME - 2}}[^\\s\\p{C}])?`;
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}${name}$`, 'u'),
      `written ${prefix}<name>, the name of at most ${LONGEST_NAME} characters`,
    );
}
