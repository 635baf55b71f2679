import { hash, randomUUID } from 'node:crypto';
import { decodeJwt, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { AuthenticationError } from './authenticator.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The text of an access token or a session: a JWT as the reference catalogue makes it, with the id of its key. */

const ISSUER = 'datahub-metadata-service';
const ALGORITHM = 'HS256';
/** In characters. Ours are shorter; what is longer is nobody's time worth. */
const LONGEST = 4096;

export type TokenType = 'PERSONAL' | 'SESSION';

/** "2" says that the token is stored under its hash; sessions say "1", as with the reference catalogue. */
const VERSIONS: Readonly<Record<TokenType, string>> = { PERSONAL: '2', SESSION: '1' };

export interface TokenContent {
  readonly type: TokenType;
  /** Without `urn:li:corpuser:`. */
  readonly userName: string;
  /** In ms since 1970; absent: it never ends. */
  readonly expiresAt?: number | undefined;
}

/**
 * What a token is stored under: nobody who reads the store can use it. There is no salt: a token has 256 bits of signature
 * and a random id, so nobody makes a list of tokens beforehand; and one that changed with the key would lose all tokens.
 */
export function tokenIdOf(text: string): string {
  return hash('sha256', text, 'base64');
}

/** @param now in ms. */
export async function signToken(keys: SigningKeys, content: TokenContent, now: number): Promise<string> {
  const { type, userName, expiresAt } = content;
  const claims = { version: VERSIONS[type], type, actorType: 'USER', actorId: userName };
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: keys.current.id })
    .setSubject(userName)
    .setJti(randomUUID())
    .setIssuer(ISSUER)
    .setIssuedAt(Math.floor(now / 1000));
  if (expiresAt !== undefined) token.setExpirationTime(Math.ceil(expiresAt / 1000));
  return token.sign(keys.current.key);
}

/** A token of ours that is unchanged. Whether it has expired or was revoked, its record says. */
export interface GenuineToken {
  readonly id: string;
  readonly type: TokenType;
}

/** Tokens that are remembered as genuine: more than callers that ask at a time. */
const REMEMBERED = 20_000;

/** Tells tokens of ours from others' and from forged ones. What it has seen once costs one hash. */
export class TokenReader {
  readonly #keys: SigningKeys;
  readonly #now: () => number;
  readonly #genuine = new LRUCache<string, GenuineToken>({ max: REMEMBERED });

  constructor(keys: SigningKeys, now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  /**
   * @param authorization the header.
   * @returns `undefined` for what is no token of ours. @throws AuthenticationError for one that is not genuine.
   */
  async read(authorization: string | undefined): Promise<GenuineToken | undefined> {
    const text = bearerOf(authorization);
    if (text === undefined || text.length > LONGEST) return undefined;
    const id = tokenIdOf(text);
    const known = this.#genuine.get(id);
    if (known !== undefined) return known;
    if (issuerOf(text) !== ISSUER) return undefined;
    const token = { id, type: typeOf(await this.#verify(text)) };
    this.#genuine.set(id, token);
    return token;
  }

  async #verify(text: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(text, ({ kid = '' }) => this.#keyOf(kid), {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        requiredClaims: ['version', 'type', 'actorType', 'actorId', 'sub', 'jti'],
        currentDate: new Date(this.#now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof AuthenticationError) throw error;
      throw new AuthenticationError(`a token: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #keyOf(id: string) {
    const key = this.#keys.find(id)?.key;
    if (key === undefined) throw new AuthenticationError('a token of a key that is not known');
    return key;
  }
}

/** The token of a header `Authorization: Bearer <token>`. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^[Bb]earer +(\S+)$/u.exec(authorization ?? '')?.[1];
}

/** What a text says of who made it; nothing of that is shown yet. */
function issuerOf(text: string): string | undefined {
  try {
    return decodeJwt(text).iss;
  } catch {
    return undefined;
  }
}

function typeOf({ type, version }: JWTPayload): TokenType {
  if ((type === 'PERSONAL' || type === 'SESSION') && version === VERSIONS[type]) return type;
  throw new AuthenticationError('a token of another type');
}
