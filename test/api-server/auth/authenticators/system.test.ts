import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemAuthenticator } from '../../../../api-server/auth/authenticators/system.ts';
import { authenticatorContract } from '../../../contract/authenticator.ts';
import { putAccount } from '../../../harness/accounts.ts';
import { AUTH_OFF, AUTH_ON, TEST_SYSTEM } from '../../../harness/auth.ts';
import { TestCatalog } from '../../../harness/catalog.ts';

const { id, secret } = TEST_SYSTEM;
const base64 = (text: string) => Buffer.from(text).toString('base64');
let users = 0;

authenticatorContract('a part of our own', async () => {
  const catalog = await TestCatalog.open({}, AUTH_ON);
  return {
    authenticator: systemAuthenticator(TEST_SYSTEM),
    registry: () => catalog.parts.registry.view(),
    async good() {
      users += 1;
      const actor = `urn:li:corpuser:user-${users}`;
      return { credentials: { authorization: `Basic ${id}:${secret}`, actor }, actor };
    },
    async bad() {
      const texts = {
        'another secret': `Basic ${id}:${secret}x`,
        'another secret, in Base64': `Basic ${base64(`${id}:x`)}`,
        'another id': `Basic x:${secret}`,
        'no secret': `Basic ${id}:`,
        'the secret alone': `Basic ${base64(secret)}`,
        'no Base64': 'Basic \u0000!',
        'something huge': `Basic ${'A'.repeat(100_000)}`,
      };
      return Object.fromEntries(Object.entries(texts).map(([what, authorization]) => [what, { authorization }]));
    },
    suspend: async (actor) => void (await putAccount(catalog.parts, actor, { state: 'SUSPENDED' })),
    close: () => catalog.close(),
  };
});

describe('a part of our own', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.open({}, AUTH_ON);
  });
  afterAll(() => catalog.close());

  it.each([`Basic ${id}:${secret}`, `basic ${id}:${secret}`, `Basic ${base64(`${id}:${secret}`)}`])(
    'may do everything when nobody is named: %s',
    async (authorization) => {
      const { caller } = await catalog.parts.auth.identify({ authorization });
      expect(caller).toEqual({ actor: `urn:li:corpuser:${id}`, groups: [], roles: [], by: 'system', unlimited: true });
    },
  );

  it('may do on behalf of a user what the user may', async () => {
    const ada = 'urn:li:corpuser:ada';
    await putAccount(catalog.parts, ada, { roles: ['Reader'] });
    const { caller } = await catalog.parts.auth.identify({ authorization: `Basic ${id}:${secret}`, actor: ada });
    expect(caller).toEqual({ actor: ada, groups: [], roles: ['Reader'], by: 'system' });
  });

  it.each(['ada', 'urn:li:corpGroup:a', 'urn:li:corpuser:', 'urn:li:corpuser:a\nb'])(
    'is refused when what it names is no user: %j',
    async (actor) => {
      const asked = catalog.parts.auth.identify({ authorization: `Basic ${id}:${secret}`, actor });
      await expect(asked).rejects.toMatchObject({ code: 'unauthorized' });
    },
  );

  it('is nobody when no secret is configured', async () => {
    const { system: _none, ...settings } = AUTH_ON;
    const other = await TestCatalog.open({}, settings);
    const asked = other.parts.auth.identify({ authorization: `Basic ${id}:${secret}` });
    await expect(asked).rejects.toMatchObject({ code: 'unauthorized' });
    await other.close();
  });
});

describe('without access control', () => {
  it('everybody is who he says, or one of our own parts, and may do everything', async () => {
    const catalog = await TestCatalog.open({}, AUTH_OFF);
    const { auth } = catalog.parts;
    const all = { groups: [], roles: [], by: 'none', unlimited: true };
    expect((await auth.identify({})).caller).toEqual({ actor: 'urn:li:corpuser:__datahub_system', ...all });
    expect((await auth.identify({ authorization: 'Bearer garbage', actor: 'urn:li:corpuser:ada' })).caller).toEqual({
      actor: 'urn:li:corpuser:ada',
      ...all,
    });
    await catalog.close();
  });
});
