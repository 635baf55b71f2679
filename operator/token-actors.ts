import { userUrnOf } from '../model/access/actor-urn.ts';

const USER_URN = userUrnOf('');

/** Which users the resources of a namespace may have tokens of. */
export interface TokenActor {
  readonly namespace: RegExp;
  readonly name: RegExp;
}

/** Reads `NAMESPACE/USER`, where `*` is any text. @returns `undefined` for what is none. */
export function parseTokenActor(text: string): TokenActor | undefined {
  const [, namespace, name] = /^([^/\s]+)\/(\S+)$/u.exec(text) ?? [];
  return namespace === undefined || name === undefined
    ? undefined
    : { namespace: matcherOf(namespace), name: matcherOf(withoutPrefix(name)) };
}

/**
 * Whether resources of a namespace may have tokens of a user, by URN. Always of the ServiceAccounts of their own namespace:
 * whoever may make resources there can mostly have tokens of those anyway.
 */
export function mayActAs(actors: readonly TokenActor[], namespace: string, actorUrn: string): boolean {
  const user = withoutPrefix(actorUrn);
  if (user.startsWith(`system:serviceaccount:${namespace}:`)) return true;
  return actors.some((one) => one.namespace.test(namespace) && one.name.test(user));
}

function withoutPrefix(user: string): string {
  return user.startsWith(USER_URN) ? user.slice(USER_URN.length) : user;
}

function matcherOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/gu, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'su');
}
