import { LOOPBACK_NAME } from '../process/request-origin.ts';
import type { FrontendConfig } from './config.ts';

/** How people log in; there is none of it where authentication is off. */
export interface LogInSettings {
  readonly systemClientId: string;
  readonly systemSecret: string;
  /** Absent: with a password only. */
  readonly oidc?: OidcSettings;
}

export interface OidcSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: URL;
  /** Where the provider sends a browser back to. */
  readonly redirectUri: URL;
  readonly scope: string;
  readonly userNameClaim: string;
  /** Absent: the provider is not asked about groups. */
  readonly groupsClaim?: string;
}

const NEEDED_FOR_OIDC = [
  'AUTH_OIDC_CLIENT_ID',
  'AUTH_OIDC_CLIENT_SECRET',
  'AUTH_OIDC_DISCOVERY_URI',
  'AUTH_OIDC_BASE_URL',
] as const;

/** @throws Error that names the variables that are missing or do not go together. */
export function logInSettings(config: FrontendConfig): LogInSettings | undefined {
  const { DATAHUB_SYSTEM_CLIENT_ID: systemClientId, DATAHUB_SYSTEM_CLIENT_SECRET: systemSecret } = config;
  if (!config.METADATA_SERVICE_AUTH_ENABLED) {
    if (config.AUTH_OIDC_ENABLED) throw wrong('AUTH_OIDC_ENABLED needs METADATA_SERVICE_AUTH_ENABLED=true');
    return undefined;
  }
  if (systemSecret === undefined) {
    throw wrong('METADATA_SERVICE_AUTH_ENABLED needs DATAHUB_SYSTEM_CLIENT_SECRET, the one that the API server has');
  }
  return { systemClientId, systemSecret, ...(config.AUTH_OIDC_ENABLED ? { oidc: oidcSettings(config) } : {}) };
}

function oidcSettings(config: FrontendConfig): OidcSettings {
  const missing = NEEDED_FOR_OIDC.filter((name) => config[name] === undefined);
  if (missing.length > 0) throw wrong(`AUTH_OIDC_ENABLED needs ${missing.join(', ')}`);
  const provider = new URL(config.AUTH_OIDC_DISCOVERY_URI ?? '');
  if (provider.protocol !== 'https:' && !LOOPBACK_NAME.test(provider.hostname)) {
    throw wrong('AUTH_OIDC_DISCOVERY_URI has to begin with https: who can change what it answers decides who is who');
  }
  return {
    clientId: config.AUTH_OIDC_CLIENT_ID ?? '',
    clientSecret: config.AUTH_OIDC_CLIENT_SECRET ?? '',
    provider,
    redirectUri: new URL(`${(config.AUTH_OIDC_BASE_URL ?? '').replace(/\/+$/u, '')}/callback/oidc`),
    scope: config.AUTH_OIDC_SCOPE,
    userNameClaim: config.AUTH_OIDC_USER_NAME_CLAIM,
    ...(config.AUTH_OIDC_EXTRACT_GROUPS_ENABLED ? { groupsClaim: config.AUTH_OIDC_GROUPS_CLAIM } : {}),
  };
}

function wrong(what: string): Error {
  return new Error(`The environment is not right: ${what}`);
}
