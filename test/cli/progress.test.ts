import { describe, expect, it } from '@jest/globals';
import { createProgress } from '../../cli/progress.ts';
import { TestClock } from '../harness/test-clock.ts';

/** A stream that is no terminal. */
function lines() {
  const written: string[] = [];
  const stream = { isTTY: false, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const clock = new TestClock();
  return { written, clock, progress: createProgress(stream, 'entities', clock) };
}

const SHOWN = { state: 'running', total: 10, processed: 1, note: '' };

describe('progress where there is no terminal', () => {
  it('is a line every five seconds, and one for each other state', async () => {
    const { written, clock, progress } = lines();
    for (let second = 0; second < 12; second += 1) {
      progress.show({ ...SHOWN, processed: second });
      await clock.advance(1_000);
    }
    progress.show({ ...SHOWN, state: 'done', processed: 10 });
    expect(written).toEqual(
      [0, 5, 10].map((n) => `running: ${n} of 10 entities\n`).concat('done: 10 of 10 entities\n'),
    );
  });

  it('says once that a server is away, then ever less often, and begins anew when it has been back', async () => {
    const { written, clock, progress } = lines();
    const secondsOfLines: number[] = [];
    for (let second = 0; second < 300; second += 1) {
      const before = written.length;
      progress.wait('no answer');
      if (written.length > before) secondsOfLines.push(second);
      await clock.advance(1_000);
    }
    expect(secondsOfLines).toEqual([0, 5, 15, 35, 75, 155, 275]);
    progress.show(SHOWN);
    progress.wait('no answer');
    expect(written.slice(-2)).toEqual(['running: 1 of 10 entities\n', 'waiting: no answer\n']);
  });
});
