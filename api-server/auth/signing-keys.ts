import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptText } from '../../process/private-files.ts';
import { type ApiServerConfig, SHORTEST_KEY } from '../config.ts';

/**
 * The keys that access tokens and sessions are signed with. A new key is put in front, and the one before stays among the
 * previous keys for as long as tokens of it are to be good: each token names its key.
 */
export interface SigningKeys {
  /** What is made now is signed with it. */
  readonly current: SigningKey;
  find(id: string): SigningKey | undefined;
}

export interface SigningKey {
  /** Derived from the key, so that replicas agree on it; it tells nothing about the key. */
  readonly id: string;
  readonly key: KeyObject;
}

type KeySettings = Pick<
  ApiServerConfig,
  'DATA_DIR' | 'MONGODB_URI' | 'DATAHUB_TOKEN_SERVICE_SIGNING_KEY' | 'DATAHUB_TOKEN_SERVICE_PREVIOUS_KEYS'
>;

/**
 * The keys of the configuration; without any, those of `DATA_DIR/signing-key`, which is made when it is not there. It has
 * a line for each key, the current one first.
 * @throws Error when replicas may share the store and no key is configured: each would make its own.
 */
export function openSigningKeys(settings: KeySettings): SigningKeys {
  const { DATAHUB_TOKEN_SERVICE_SIGNING_KEY: configured, DATAHUB_TOKEN_SERVICE_PREVIOUS_KEYS: previous } = settings;
  if (configured !== undefined) return signingKeys([configured, ...previous]);
  if (settings.MONGODB_URI !== undefined) {
    throw new Error(
      'The environment is not right: DATAHUB_TOKEN_SERVICE_SIGNING_KEY has to be set when METADATA_SERVICE_AUTH_ENABLED ' +
        'is true and MONGODB_URI is set, the same for every replica. `openssl rand -base64 48` makes one.',
    );
  }
  const path = join(settings.DATA_DIR, 'signing-key');
  const lines = keptText(path, () => `${randomBytes(48).toString('base64')}\n`).split('\n');
  const kept = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (kept.length === 0 || kept.some((secret) => secret.length < SHORTEST_KEY)) {
    throw new Error(
      `${path}: each line has to be a key of at least ${SHORTEST_KEY} characters, and one there has to be`,
    );
  }
  return signingKeys([...kept, ...previous]);
}

/** @param secrets the current one first. */
export function signingKeys(secrets: readonly string[]): SigningKeys {
  const keys = secrets.map(signingKey);
  const [current] = keys;
  if (current === undefined) throw new Error('there is no signing key');
  const byId = new Map(keys.map((each) => [each.id, each]));
  return { current, find: (id) => byId.get(id) };
}

/** The bytes of the text are the key, as with the reference catalogue: what looks like Base64 is not decoded. */
function signingKey(secret: string): SigningKey {
  const key = createSecretKey(secret, 'utf8');
  return { id: createHmac('sha256', key).update('key id').digest('base64url').slice(0, 16), key };
}
