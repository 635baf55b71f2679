import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../process/clock.ts';

/** What has to be known when a browser comes back from the provider, and is nobody else's to know or to choose. */
const attemptSchema = z.object({
  /** Ties the answer of the provider to this browser. */
  state: z.string(),
  /** Ties the provider's token to this attempt. */
  nonce: z.string(),
  /** Ties the code to whoever asked for it (PKCE). */
  verifier: z.string(),
  /** Where to go then. */
  target: z.string(),
});

export type Attempt = Readonly<z.output<typeof attemptSchema>>;

/** How long somebody may take to log in at the provider, in seconds. */
export const ATTEMPT_SECONDS = 600;

/** Keeps attempts with the browsers that make them, so that every replica of the frontend can go on with one. */
export interface AttemptSeal {
  seal(attempt: Attempt): Promise<string>;
  /** `undefined` for what was not sealed here, or too long ago. */
  open(sealed: string): Promise<Attempt | undefined>;
}

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** @param secret the one that all frontends and the API server share; the key made of it is of no other use. */
export function attemptSeal(secret: string, clock: Clock): AttemptSeal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'proplane: attempts to log in', 32));
  return {
    seal: (attempt) =>
      new EncryptJWT({ attempt })
        .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
        .setExpirationTime(Math.floor(clock.now() / 1000) + ATTEMPT_SECONDS)
        .encrypt(key),
    async open(sealed) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          keyManagementAlgorithms: [ALGORITHM],
          contentEncryptionAlgorithms: [ENCRYPTION],
          requiredClaims: ['exp'],
          currentDate: new Date(clock.now()),
        });
        return attemptSchema.safeParse(payload.attempt).data;
      } catch {
        return undefined;
      }
    },
  };
}
