import type { AccessToken, CreatedToken, NewToken } from '../../client/access-tokens.ts';
import { MissingError } from '../../client/http-errors.ts';
import { lengthOf } from '../../model/access/token-duration.ts';
import type { TokenCatalogue } from '../../operator/catalogue/token-catalogue.ts';
import type { Clock } from '../../process/clock.ts';

/** The access tokens of an API server, in memory. */
export class FakeTokens implements TokenCatalogue {
  /** Those that are not revoked, by id. */
  readonly stored = new Map<string, AccessToken>();
  /** What was told at their creation, by id. */
  readonly secrets = new Map<string, string>();
  created = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get all(): AccessToken[] {
    return [...this.stored.values()];
  }

  async tokensNamed(name: string): Promise<AccessToken[]> {
    return this.all.filter((token) => token.name === name);
  }

  async create({ duration, description = null as never, ...token }: NewToken): Promise<CreatedToken> {
    this.created += 1;
    const createdAt = this.#clock.now();
    const length = lengthOf(duration);
    const metadata: AccessToken = {
      id: `id+${this.created}=`,
      ownerUrn: 'urn:li:corpuser:operator',
      createdAt,
      expiresAt: length === undefined ? null : createdAt + length,
      description,
      ...token,
    };
    const accessToken = `token-${this.created}`;
    this.stored.set(metadata.id, metadata);
    this.secrets.set(metadata.id, accessToken);
    return { accessToken, metadata };
  }

  async revoke(id: string): Promise<void> {
    this.stored.delete(id);
  }

  /** Whether a token would be let in. */
  isGood(accessToken: string): boolean {
    const [id] = [...this.secrets].find(([, secret]) => secret === accessToken) ?? [];
    const token = id === undefined ? undefined : this.stored.get(id);
    return token !== undefined && (token.expiresAt ?? Number.POSITIVE_INFINITY) > this.#clock.now();
  }

  /** Answers a document of GraphQL, as `client/access-tokens.ts` sends them. */
  async answer({ query, variables }: { query: string; variables: Record<string, unknown> }): Promise<unknown> {
    const [, operation] = /^(?:query|mutation) (\w+)/u.exec(query) ?? [];
    switch (operation) {
      case 'createAccessToken':
        return { createAccessToken: await this.create(variables.input as NewToken) };
      case 'listAccessTokens': {
        const { filters, start } = variables.input as { filters: { field: string; values: string[] }[]; start: number };
        const isMeant = (token: AccessToken) =>
          filters.every(({ field, values }) => values.includes(String(token[field as keyof AccessToken])));
        const tokens = this.all.filter(isMeant);
        return { listAccessTokens: { total: tokens.length, tokens: tokens.slice(start) } };
      }
      case 'revokeAccessToken':
        if (!this.stored.delete(variables.tokenId as string))
          throw new MissingError('there is no such token', 'ENTITY');
        return { revokeAccessToken: true };
      default:
        throw new Error(`not known here: ${query}`);
    }
  }
}
