import { createHash, timingSafeEqual } from 'node:crypto';
import { userUrnOf, userUrnSchema } from '../../../model/access/actor-urn.ts';
import { AuthenticationError, type Authenticator } from '../authenticator.ts';
import { activeAccount, callerOf } from '../stored-token.ts';

/** What our own parts show one another. */
export interface SystemCredentials {
  readonly id: string;
  readonly secret: string;
}

/**
 * Our own parts, by `Authorization: Basic <id>:<secret>`, in clear as the reference catalogue sends it, or in Base64. They
 * may do everything; on behalf of a user, whom `X-DataHub-Actor` names, what the user may.
 */
export function systemAuthenticator({ id, secret }: SystemCredentials): Authenticator {
  const expected = digestOf(`${id}:${secret}`);
  return {
    async authenticate({ authorization, actor }, registry) {
      const given = basicOf(authorization);
      if (given === undefined) return undefined;
      // Hashes are of one length, and tell nothing of what they are of.
      if (!timingSafeEqual(digestOf(given), expected)) throw new AuthenticationError('system credentials');
      if (actor === undefined) return { actor: userUrnOf(id), groups: [], roles: [], by: 'system', unlimited: true };
      if (!userUrnSchema.safeParse(actor).success) throw new AuthenticationError('an actor that is no user');
      return { ...callerOf(actor, await activeAccount(registry, actor)), by: 'system' };
    },
  };
}

/** `<id>:<secret>`: what has no colon, which Base64 never has, is decoded. */
function basicOf(authorization: string | undefined): string | undefined {
  const text = /^[Bb]asic +(.*)$/su.exec(authorization ?? '')?.[1];
  if (text === undefined || text.includes(':')) return text;
  return Buffer.from(text, 'base64').toString('utf8');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
