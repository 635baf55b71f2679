import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallOff, Clock } from '../../process/clock.ts';

interface Alarm {
  readonly due: number;
  readonly callBack: () => void;
}

/** Turns of the event loop in which what an alarm has set off may set the next one. */
const TURNS = 20;

/**
 * A clock that a test moves. It stands still but for `advance`, or goes so many times as fast as the real one where what is
 * tested waits for real files and connections; `stop` ends it as a crash does: nothing that waits is ever called back.
 */
export class TestClock implements Clock {
  readonly #speed: number;
  readonly #begun = performance.now();
  readonly #alarms = new Set<Alarm>();
  #skipped = 0;
  /** The calendar, apart from the monotonic clock. */
  #calendar = Date.UTC(2026, 0, 1);
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param speed 0: it stands still. */
  constructor(speed = 0) {
    this.#speed = speed;
  }

  readonly now = (): number => this.#calendar + this.monotonic();

  readonly monotonic = (): number => (performance.now() - this.#begun) * this.#speed + this.#skipped;

  readonly after = (ms: number, callBack: () => void): CallOff => {
    const alarm: Alarm = { due: this.monotonic() + Math.max(0, ms), callBack };
    if (!this.#isStopped) this.#alarms.add(alarm);
    this.#wait();
    return () => {
      this.#alarms.delete(alarm);
      this.#wait();
    };
  };

  /** How many wait to be called back. */
  get waiting(): number {
    return this.#alarms.size;
  }

  /** Lets so much time pass, in ms, with everything that it sets off, in order. */
  async advance(ms: number): Promise<void> {
    await turns();
    const end = this.monotonic() + ms;
    for (let next = this.#next(); next !== undefined && next.due <= end; next = this.#next()) {
      this.#skipped += Math.max(0, next.due - this.monotonic());
      this.#ring(next);
      await turns();
    }
    this.#skipped += Math.max(0, end - this.monotonic());
    this.#wait();
  }

  /** Lets time pass, a millisecond after the other, until something that waits for it is done. */
  async passUntil<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    while (!isOver) await this.advance(1);
    return await work;
  }

  /** Sets the calendar; no time passes. */
  jump(ms: number): void {
    this.#calendar += ms;
  }

  /** Nothing is called back any more. */
  stop(): void {
    this.#isStopped = true;
    this.#alarms.clear();
    clearTimeout(this.#timer);
  }

  /** Of the alarms that are due first the one that was set first. */
  #next(): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) if (first === undefined || alarm.due < first.due) first = alarm;
    return first;
  }

  #ring(alarm: Alarm): void {
    if (this.#alarms.delete(alarm)) alarm.callBack();
  }

  /** Has the real clock move this one to the next alarm. */
  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#next();
    if (next === undefined || this.#speed === 0 || this.#isStopped) return;
    const ms = Math.max(0, next.due - this.monotonic()) / this.#speed;
    this.#timer = setTimeout(() => {
      for (let due = this.#next(); due !== undefined && due.due <= this.monotonic(); due = this.#next())
        this.#ring(due);
      this.#wait();
    }, ms);
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}
