import { describe, expect, it } from '@jest/globals';
import { userOfClaims } from '../../frontend/oidc/user-of-claims.ts';

const BY_EMAIL = { userNameClaim: 'email', groupsClaim: 'groups' };
const EMAIL = 'ada@example.com';

describe('what a provider says of a user', () => {
  it('names them by the claim that is configured', () => {
    expect(userOfClaims({ sub: '1', preferred_username: ' ada ' }, { userNameClaim: 'preferred_username' })).toEqual({
      userId: 'ada',
      oidc: {},
    });
    for (const name of [undefined, '', ' ', 7, null, ['ada'], { ada: 1 }])
      expect(() => userOfClaims({ sub: '1', email: name }, BY_EMAIL)).toThrow('"email"');
  });

  it('has a name to show, in one or in two parts', () => {
    expect(userOfClaims({ email: EMAIL, name: 'Ada L.', given_name: 'Ada' }, BY_EMAIL).oidc?.displayName).toBe(
      'Ada L.',
    );
    const two = { email: EMAIL, given_name: 'Ada', family_name: 'Lovelace' };
    expect(userOfClaims(two, BY_EMAIL).oidc?.displayName).toBe('Ada Lovelace');
    expect(userOfClaims({ email: EMAIL, given_name: 7 }, BY_EMAIL).oidc).toEqual({ email: EMAIL });
  });

  it.each([
    [
      ['one', 'two', 'one'],
      ['one', 'two'],
    ],
    ['one', ['one']],
    [[], []],
    [['one', 7, null, ' '], ['one']],
    [7, []],
    [undefined, undefined],
    [null, undefined],
  ])('has groups, or does not speak of them: %j', (claim, groups) => {
    expect(userOfClaims({ email: EMAIL, groups: claim }, BY_EMAIL).oidc?.groups).toEqual(groups);
    expect(userOfClaims({ email: EMAIL, groups: claim }, { userNameClaim: 'email' }).oidc).toEqual({ email: EMAIL });
  });

  it('does not count by an address that it has not checked', () => {
    expect(() => userOfClaims({ email: EMAIL, email_verified: false }, BY_EMAIL)).toThrow('not checked');
    expect(userOfClaims({ email: EMAIL, email_verified: true }, BY_EMAIL).userId).toBe(EMAIL);
    expect(userOfClaims({ email: EMAIL }, BY_EMAIL).userId).toBe(EMAIL);
  });
});
