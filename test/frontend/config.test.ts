import { describe, expect, it } from '@jest/globals';
import { frontendEnvironment } from '../../frontend/config.ts';
import { logInSettings } from '../../frontend/log-in-settings.ts';
import { readEnvironment } from '../../process/read-environment.ts';
import { startTestFrontend, WITH_LOG_IN } from '../harness/frontend.ts';

const OIDC = {
  ...WITH_LOG_IN,
  AUTH_OIDC_ENABLED: 'true',
  AUTH_OIDC_CLIENT_ID: 'proplane',
  AUTH_OIDC_CLIENT_SECRET: 'secret\n',
  AUTH_OIDC_DISCOVERY_URI: 'https://provider.example/realms/one',
  AUTH_OIDC_BASE_URL: 'https://proplane.example/',
};

const settings = (environment: Record<string, string>) =>
  logInSettings(readEnvironment(frontendEnvironment, environment));

describe('the configuration of a log-in', () => {
  it('is none where authentication is off', () => {
    expect(settings({})).toBeUndefined();
    expect(settings({ DATAHUB_SYSTEM_CLIENT_SECRET: 'a-secret-of-parts' })).toBeUndefined();
  });

  it('is a secret, and a provider where there is one', () => {
    expect(settings({ ...WITH_LOG_IN, DATAHUB_SYSTEM_CLIENT_SECRET: 'a-secret-from-a-file\n' })).toEqual({
      systemClientId: '__datahub_system',
      systemSecret: 'a-secret-from-a-file',
    });
    expect(settings(OIDC)?.oidc).toEqual({
      clientId: 'proplane',
      clientSecret: 'secret',
      provider: new URL('https://provider.example/realms/one'),
      redirectUri: new URL('https://proplane.example/callback/oidc'),
      scope: 'openid profile email',
      userNameClaim: 'email',
    });
    expect(settings({ ...OIDC, AUTH_OIDC_EXTRACT_GROUPS_ENABLED: 'true' })?.oidc?.groupsClaim).toBe('groups');
  });

  it.each([
    ['DATAHUB_SYSTEM_CLIENT_SECRET', { METADATA_SERVICE_AUTH_ENABLED: 'true' }],
    ['METADATA_SERVICE_AUTH_ENABLED', { ...OIDC, METADATA_SERVICE_AUTH_ENABLED: 'false' }],
    ['AUTH_OIDC_CLIENT_SECRET, AUTH_OIDC_BASE_URL', { ...OIDC, AUTH_OIDC_CLIENT_SECRET: '', AUTH_OIDC_BASE_URL: '' }],
    ['https', { ...OIDC, AUTH_OIDC_DISCOVERY_URI: 'http://provider.example' }],
    ['AUTH_OIDC_SCOPE', { ...OIDC, AUTH_OIDC_SCOPE: 'profile' }],
    ['DATAHUB_SYSTEM_CLIENT_SECRET', { ...OIDC, DATAHUB_SYSTEM_CLIENT_SECRET: 'a-secret-of-two\nlines' }],
    ['DATAHUB_SYSTEM_CLIENT_ID', { ...OIDC, DATAHUB_SYSTEM_CLIENT_ID: 'a:b' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'proxy.example' }],
  ])('keeps the frontend from starting, and names %s, when that is not right', async (name, environment) => {
    await expect(startTestFrontend(environment)).rejects.toThrow(name);
  });
});
