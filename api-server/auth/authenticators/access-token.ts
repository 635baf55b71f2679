import { ACCESS_TOKENS } from '../access-tokens.ts';
import type { Authenticator } from '../authenticator.ts';
import type { LastUses } from '../last-uses.ts';
import { callerOf, goodToken } from '../stored-token.ts';
import type { TokenReader } from '../token-text.ts';

/** Personal access tokens. */
export function accessTokenAuthenticator(tokens: TokenReader, uses: LastUses, now: () => number): Authenticator {
  return {
    async authenticate({ authorization }, registry) {
      const token = await tokens.read(authorization);
      if (token?.type !== 'PERSONAL') return undefined;
      const { id } = token;
      const { record, account } = await goodToken(registry, { kind: ACCESS_TOKENS, id }, now());
      uses.note(ACCESS_TOKENS, id);
      return { ...callerOf(record.actor, account), by: 'token', tokenId: id };
    },
  };
}
