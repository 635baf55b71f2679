import { AuthenticationError, type Authenticator } from '../authenticator.ts';
import { SESSIONS, type SessionRecord } from '../sessions.ts';
import { callerOf, goodToken } from '../stored-token.ts';
import type { TokenReader } from '../token-text.ts';

/** Sessions of users who have logged in. */
export function sessionAuthenticator(tokens: TokenReader, now: () => number): Authenticator {
  return {
    async authenticate({ authorization }, registry) {
      const token = await tokens.read(authorization);
      if (token?.type !== 'SESSION') return undefined;
      const { id } = token;
      const { record, account } = await goodToken<SessionRecord>(registry, { kind: SESSIONS, id }, now());
      if (record.epoch !== account?.sessionEpoch) {
        throw new AuthenticationError(`a session of ${record.actor}, whose sessions were ended`);
      }
      return { ...callerOf(record.actor, account), by: 'session', tokenId: id };
    },
  };
}
