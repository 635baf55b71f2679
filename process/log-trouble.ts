import { visible } from './text.ts';

/** What a log cannot say itself: that it could not be written. */
export class LogTrouble {
  readonly #tell: (message: string) => void;
  #lines = 0;
  #isTold = false;

  /** @param tell gets one sentence when it begins. */
  constructor(tell: (message: string) => void) {
    this.#tell = tell;
  }

  /** Lines that were lost since the start. */
  get lines(): number {
    return this.#lines;
  }

  lost(lines: number, cause?: unknown): void {
    this.#lines += lines;
    if (this.#isTold || cause === undefined) return;
    this.#isTold = true;
    this.#tell(`the log cannot be written (${messageOf(cause)}); everything else goes on`);
  }

  /** It is written again: what comes next is told again. */
  over(): void {
    this.#isTold = false;
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Of this process, which has one log. */
export const logTrouble = new LogTrouble((message) => process.stderr.write(`proplane: ${visible(message)}\n`));
