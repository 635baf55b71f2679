import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as z from 'zod';

/** Issuer of the tokens that Proplane itself makes. */
const OWN_ISSUER = 'datahub-metadata-service';

const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().startsWith('system:serviceaccount:'),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
});

/** What a token of a ServiceAccount says of itself. Nothing of it is proved. */
export interface ClaimedToken {
  readonly audiences: readonly string[];
  /** In ms since 1970. */
  readonly expiresAt: number;
}

/**
 * Reads a token as the cluster makes them for pods and by the TokenRequest API: of a ServiceAccount, for audiences, with
 * an end. Those that are kept in Secrets and never end are none.
 * @returns `undefined` when it is none, or one of our own.
 */
export function readServiceAccountToken(token: string): ClaimedToken | undefined {
  try {
    decodeProtectedHeader(token);
    const claims = claimsSchema.safeParse(decodeJwt(token));
    if (!claims.success || claims.data.iss === OWN_ISSUER) return undefined;
    return { audiences: [claims.data.aud].flat(), expiresAt: claims.data.exp * 1000 };
  } catch {
    // No JWT.
    return undefined;
  }
}
