import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthenticationError, type Authenticator, type Credentials } from '../../api-server/auth/authenticator.ts';
import type { RegistryView } from '../../api-server/catalog/registry/registry.ts';

/** A way to show who one is, with what can be shown to it. */
export interface AuthenticatorHarness {
  readonly authenticator: Authenticator;
  /** As it is now. */
  registry(): Promise<RegistryView>;
  /** Good credentials, new ones each time, of this actor. */
  good(): Promise<{ readonly credentials: Credentials; readonly actor: string }>;
  /** Credentials of its kind that are not valid, by what is wrong with them. */
  bad(): Promise<Readonly<Record<string, Credentials>>>;
  /** Makes the account of the actor suspended. */
  suspend(actor: string): Promise<void>;
  close(): Promise<void>;
}

/** Whatever these are, they are nobody's. */
const NOBODYS: Readonly<Record<string, string>> = {
  nothing: '',
  'a scheme without credentials': 'Bearer',
  'a scheme and a space': 'Bearer ',
  'a scheme that is not known': 'Digest username="ada"',
  garbage: 'Bearer garbage',
  'garbage with points': 'Bearer a.b.c',
  points: 'Bearer ..',
  'a NUL': 'Bearer a\u0000b',
  'two tokens': 'Bearer a.b.c d.e.f',
  'JSON that is no object': `Bearer ${[1, 'x', null].map((part) => encoded(part)).join('.')}`,
  'a token of somebody else': `Bearer ${encoded({ alg: 'HS256' })}.${encoded({ iss: 'somebody', sub: 'ada' })}.c2ln`,
  'something huge': `Bearer ${'A'.repeat(100_000)}`,
  'something huge with points': `Bearer ${'A'.repeat(30_000)}.${'B'.repeat(30_000)}.${'C'.repeat(30_000)}`,
};

/** What every authenticator does, whatever it looks at. */
export function authenticatorContract(name: string, open: () => Promise<AuthenticatorHarness>): void {
  describe(`${name} as an authenticator`, () => {
    let harness: AuthenticatorHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());

    const shown = async (credentials: Credentials) =>
      harness.authenticator.authenticate(credentials, await harness.registry());

    async function refusal(credentials: Credentials): Promise<AuthenticationError> {
      try {
        await shown(credentials);
      } catch (error) {
        if (error instanceof AuthenticationError) return error;
        throw error;
      }
      throw new Error('it was not refused');
    }

    it('says who shows good credentials, again and again', async () => {
      const { credentials, actor } = await harness.good();
      const first = await shown(credentials);
      expect(first).toMatchObject({ actor, groups: expect.any(Array), roles: expect.any(Array) });
      expect(await shown(credentials)).toEqual(first);
    });

    it('tells callers who ask at the same time apart', async () => {
      const all = await Promise.all(Array.from({ length: 10 }, () => harness.good()));
      const identities = await Promise.all(all.map(({ credentials }) => shown(credentials)));
      expect(identities.map((identity) => identity?.actor)).toEqual(all.map(({ actor }) => actor));
    });

    it('leaves to others what shows nothing, and what is of no kind that it knows', async () => {
      expect(await shown({})).toBeUndefined();
      expect(await shown({ actor: 'urn:li:corpuser:ada' })).toBeUndefined();
      const answers = await Promise.all(
        Object.entries(NOBODYS).map(async ([what, authorization]) => [what, await shown({ authorization })]),
      );
      expect(answers).toEqual(Object.keys(NOBODYS).map((what) => [what, undefined]));
    });

    it('refuses what is not valid, and tells nobody what is wrong with it', async () => {
      const bad = Object.entries(await harness.bad());
      expect(bad.length).toBeGreaterThan(0);
      const { message } = new AuthenticationError('');
      const refusals = await Promise.all(
        bad.map(async ([what, credentials]) => [what, (await refusal(credentials)).message]),
      );
      expect(refusals).toEqual(bad.map(([what]) => [what, message]));
    });

    it('keeps what it was shown out of the reasons that are logged', async () => {
      for (const credentials of Object.values(await harness.bad())) {
        const secret = credentials.authorization?.replace(/^\w+ /u, '') ?? '';
        const { reason, stack } = await refusal(credentials);
        expect(`${reason} ${stack}`).not.toContain(secret);
      }
    });

    it('refuses a user who is suspended, at once', async () => {
      const { credentials, actor } = await harness.good();
      expect(await shown(credentials)).toMatchObject({ actor });
      await harness.suspend(actor);
      expect(await refusal(credentials)).toBeInstanceOf(AuthenticationError);
    });
  });
}

export function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
