import { describe, expect, it } from '@jest/globals';
import { type PasswordCost, Passwords } from '../../../api-server/auth/passwords.ts';
import { refusal } from '../../harness/catalog.ts';

const CHEAP: PasswordCost = { rounds: 2, blockSize: 1, repeats: 1 };

describe('a password', () => {
  const passwords = new Passwords(CHEAP);

  it('is right when it is the same, however a keyboard writes it', async () => {
    const stored = await passwords.hash('Zoë’s ﬁrst');
    expect(await passwords.isRight('Zoe\u0308’s first', stored)).toBe(true);
    for (const wrong of ['', 'zoë’s first', 'Zoë’s first ', 'Zoë’s firs']) {
      expect(await passwords.isRight(wrong, stored)).toBe(false);
    }
  });

  it('is hashed with a salt and does not stand in what is kept', async () => {
    const [one, other] = [await passwords.hash('the same'), await passwords.hash('the same')];
    expect(one.hash).not.toBe(other.hash);
    expect(one).toEqual({ ...CHEAP, salt: expect.any(String), hash: expect.any(String) });
  });

  it('is never right where there is none', async () => {
    expect(await passwords.isRight('', undefined)).toBe(false);
    expect(await passwords.isRight('anything', undefined)).toBe(false);
  });

  it('that was hashed with less work is right, and outdated', async () => {
    const dearer = new Passwords({ ...CHEAP, rounds: 4 });
    const stored = await passwords.hash('of before');
    expect(await dearer.isRight('of before', stored)).toBe(true);
    expect([dearer.isOutdated(stored), passwords.isOutdated(stored)]).toEqual([true, false]);
  });

  it('waits for its turn, and is refused when too many do', async () => {
    const asked = Array.from({ length: 60 }, () => passwords.isRight('x', undefined));
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(52);
    const refused = Promise.all(asked);
    expect(await refusal(refused)).toMatch(/^unavailable: Too many passwords/u);
  });
});
