import { beforeEach, describe, expect, it } from '@jest/globals';
import { Patience } from '../../cli/patience.ts';
import { noProgress } from '../../cli/progress.ts';
import { RejectedError, UnavailableError } from '../../client/http-errors.ts';
import { TestClock } from '../harness/test-clock.ts';

const AWAY = new UnavailableError('away');

let clock: TestClock;
let patience: Patience;
let attempts: number;
beforeEach(() => {
  clock = new TestClock();
  patience = new Patience({ clock, progress: noProgress, patience: 10_000 });
  attempts = 0;
});

/** Asks a server that is away until it answers. */
function ask(isAway: () => boolean): Promise<string> {
  return patience.try(async () => {
    attempts += 1;
    if (isAway()) throw AWAY;
    return 'an answer';
  });
}

describe('patience with a server that is away', () => {
  it('asks twice a second until there is an answer', async () => {
    let isAway = true;
    const asked = ask(() => isAway);
    await clock.advance(4_900);
    expect(attempts).toBe(10);
    isAway = false;
    await clock.advance(100);
    expect([await asked, attempts]).toEqual(['an answer', 11]);
  });

  it('is over after its time, which begins anew with each answer', async () => {
    for (let round = 0; round < 2; round += 1) {
      const asked = ask(() => true).catch((error: unknown) => error);
      let isOver = false;
      void asked.then(() => (isOver = true));
      await clock.advance(10_000);
      expect(isOver).toBe(false);
      await clock.advance(500);
      expect(await asked).toBe(AWAY);
    }
  });

  it('is none where another attempt is of no use', async () => {
    const refused = new RejectedError(400, 'no');
    await expect(patience.try(() => Promise.reject(refused))).rejects.toBe(refused);
    expect(clock.waiting).toBe(0);
  });
});
