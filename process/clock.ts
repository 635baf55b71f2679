/**
 * The time, a parameter of everything that goes by it. What one process alone decides goes by `monotonic`, which no
 * administrator and no time server moves; what several processes share, or what outlives one, is stamped with `now`.
 */
export interface Clock {
  /** What the calendar says, in ms since 1970-01-01T00:00:00Z. It can jump, both ways. */
  readonly now: () => number;
  /** In ms since some moment of this process; never goes back. */
  readonly monotonic: () => number;
  /** Calls back once, after so many ms of the monotonic clock. @returns how to call that off. */
  readonly after: (ms: number, callBack: () => void) => CallOff;
}

export type CallOff = () => void;

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(ms, callBack) {
    const timer = setTimeout(callBack, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits, but not longer than until the signal is aborted; never rejects. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const callOff = clock.after(ms, end);
    signal?.addEventListener('abort', end);
    function end(): void {
      callOff();
      signal?.removeEventListener('abort', end);
      resolve();
    }
  });
}

/** Calls back again and again, the first time after a period, in ms. @returns how to call that off. */
export function every(clock: Clock, periodMs: number, callBack: () => void): CallOff {
  let callOff = clock.after(periodMs, turn);
  function turn(): void {
    callOff = clock.after(periodMs, turn);
    callBack();
  }
  return () => callOff();
}

/** The clocks of machines that share a catalogue may differ by so much, in ms. One that differs by more is wrong. */
export const MOST_APART = 60_000;

/**
 * Whether so long has passed since a stamp that some process has set, maybe another one, maybe by a clock that was wrong.
 * A stamp that lies further in the future than clocks may differ was set by such a clock: it counts as long ago, or what
 * it holds up would wait for as long as the clock was ahead.
 * @param duration in ms.
 */
export function hasPassed(stamp: number, duration: number, now: number): boolean {
  return now - stamp > duration || stamp - now > MOST_APART;
}
