import type { Me } from '../../model/wire/access.ts';
import { type AccessTokenAnswer, accessTokenSchema } from '../../model/wire/access-token.ts';
import { demand, meOf, Refusal, sent } from './fake-access-answers.ts';

const ADMIN = 'urn:li:corpuser:admin';
const YEAR_3000 = 32_503_680_000_000;

/** Access tokens in memory, as GraphQL answers about them. */
export class FakeAccessTokens {
  /** By id. */
  readonly all = new Map<string, AccessTokenAnswer>();
  /** Whom each token is of. */
  readonly #me: Map<string, Me>;

  constructor(me: Map<string, Me>) {
    this.#me = me;
  }

  add(id: string, more: Partial<AccessTokenAnswer> = {}): void {
    this.all.set(id, { id, name: id, actorUrn: ADMIN, ownerUrn: ADMIN, createdAt: 1, ...more });
  }

  // biome-ignore lint/suspicious/noExplicitAny: variables of many shapes
  answer(operation: string, { input, tokenId, token }: any, me: Me): unknown {
    switch (operation) {
      case 'createAccessToken':
        return this.#create(input, me);
      case 'listAccessTokens': {
        const owner = input.filters.find(({ field }: { field: string }) => field === 'ownerUrn')?.values[0];
        if (owner !== me.actor) demand(me, 'MANAGE_ACCESS_TOKENS');
        const found = [...this.all.values()].filter(({ ownerUrn }) => owner === undefined || ownerUrn === owner);
        return { total: found.length, tokens: found.slice(input.start, input.start + input.count) };
      }
      case 'getAccessTokenMetadata':
        return this.all.get(`id-of-${token.replace('secret-of-', '')}`);
      default:
        if (!this.all.delete(tokenId)) throw new Refusal(404, 'The access token no longer exists.');
        return true;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  #create({ actorUrn, name, description = null, duration }: any, me: Me): unknown {
    if (actorUrn !== me.actor) demand(me, 'MANAGE_ACCESS_TOKENS');
    const slug = name.replaceAll(' ', '-');
    const [id, accessToken] = [`id-of-${slug}`, `secret-of-${slug}`];
    const expiresAt = duration === 'NO_EXPIRY' ? null : YEAR_3000;
    this.add(id, { name, description, actorUrn, ownerUrn: me.actor, expiresAt });
    this.#me.set(accessToken, meOf(actorUrn.split(':').at(-1), []));
    return { accessToken, metadata: sent(accessTokenSchema, this.all.get(id)) };
  }
}
