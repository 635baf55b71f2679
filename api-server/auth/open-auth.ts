import type { Logger } from 'pino';
import type { Policy } from '../../model/access/policy.ts';
import type { Clock } from '../../process/clock.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { Registry } from '../catalog/registry/registry.ts';
import type { ApiServerConfig } from '../config.ts';
import type { Store } from '../store/port.ts';
import { AuditLog } from './audit.ts';
import { authenticate } from './authenticate.ts';
import { AuthenticationError, type Authenticator } from './authenticator.ts';
import { accessTokenAuthenticator } from './authenticators/access-token.ts';
import { OFF } from './authenticators/off.ts';
import { sessionAuthenticator } from './authenticators/session.ts';
import { type SystemCredentials, systemAuthenticator } from './authenticators/system.ts';
import { LastUses } from './last-uses.ts';
import type { AuthParts } from './parts.ts';
import { PASSWORD_COST, type PasswordCost, Passwords } from './passwords.ts';
import { Policies } from './policies.ts';
import { readPolicyFiles } from './policy-files.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';
import { TokenReader } from './token-text.ts';

export interface AuthSettings {
  /** Absent: access control is off. */
  readonly keys?: SigningKeys;
  readonly system?: SystemCredentials;
  /** Further ways to show who one is. */
  readonly authenticators?: readonly Authenticator[];
  /** In ms. */
  readonly sessionDuration: number;
  readonly passwordCost: PasswordCost;
  /** Of files. */
  readonly policies?: readonly Policy[];
}

/** What knows who asks works with it. */
export interface AuthBase extends Clock {
  readonly store: Store;
  readonly registry: Registry;
  readonly log: Logger;
}

export interface OpenedAuth extends AuthParts {
  /** Writes what waits to be written, before the store closes. */
  stop(): Promise<void>;
}

/** @throws Error when keys are missing; FileError for files of policies that are not right. */
export function authSettingsOf(config: ApiServerConfig): AuthSettings {
  const { DATAHUB_SYSTEM_CLIENT_ID: id, DATAHUB_SYSTEM_CLIENT_SECRET: secret } = config;
  return {
    ...(config.METADATA_SERVICE_AUTH_ENABLED ? { keys: openSigningKeys(config) } : {}),
    ...(secret === undefined ? {} : { system: { id, secret } }),
    sessionDuration: config.SESSION_TOKEN_DURATION_MS,
    passwordCost: PASSWORD_COST,
    policies: readPolicyFiles(config.POLICIES, process.cwd()),
  };
}

export function openAuth(settings: AuthSettings, base: AuthBase): OpenedAuth {
  const { keys, sessionDuration, passwordCost } = settings;
  const uses = new LastUses(base.store, base.now, base.log);
  const audit = new AuditLog(base.store, base, base.log);
  return {
    enabled: keys !== undefined,
    ...(keys === undefined ? {} : { keys }),
    identify: keys === undefined ? identifyNobody : identifyBy(authenticatorsOf(settings, keys, uses, base), base),
    sessionDuration,
    passwords: new Passwords(passwordCost),
    uses,
    policies: new Policies(settings.policies ?? []),
    audit,
    async stop() {
      await audit.stop();
      await uses.written();
    },
  };
}

/** Tokens of ours first: most requests have one. */
function authenticatorsOf(
  { system, authenticators = [] }: AuthSettings,
  keys: SigningKeys,
  uses: LastUses,
  { now }: AuthBase,
): Authenticator[] {
  const tokens = new TokenReader(keys, now);
  return [
    accessTokenAuthenticator(tokens, uses, now),
    sessionAuthenticator(tokens, now),
    ...(system === undefined ? [] : [systemAuthenticator(system)]),
    ...authenticators,
  ];
}

const identifyNobody: AuthParts['identify'] = async (credentials) => ({ caller: await OFF.authenticate(credentials) });

function identifyBy(authenticators: readonly Authenticator[], { registry, log }: AuthBase): AuthParts['identify'] {
  return async (credentials) => {
    const view = await registry.view();
    try {
      return { caller: await authenticate(authenticators, credentials, view), registry: view };
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      log.debug({ reason: error.reason }, 'credentials were refused');
      throw new CatalogError('unauthorized', error.message);
    }
  };
}
