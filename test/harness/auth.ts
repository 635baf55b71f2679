import type { AuthSettings } from '../../api-server/auth/open-auth.ts';
import { signingKeys } from '../../api-server/auth/signing-keys.ts';

/** Of no use outside tests. */
export const TEST_KEY = 'a key that only tests have, long enough';
export const TEST_SYSTEM = { id: '__datahub_system', secret: 'a secret that only tests have' };

export const AUTH_OFF: AuthSettings = {
  sessionDuration: 24 * 3_600_000,
  // As little work as there can be.
  passwordCost: { rounds: 2, blockSize: 1, repeats: 1 },
};

export const AUTH_ON: AuthSettings = { ...AUTH_OFF, keys: signingKeys([TEST_KEY]), system: TEST_SYSTEM };
