import { setTimeout as sleep } from 'node:timers/promises';
import { SearchError } from '../errors.ts';
import { IS_ALIVE } from './serve-calls.ts';
import { WorkerClient } from './worker-client.ts';

/** In ms, where nothing else is said. */
const GRACE = 5_000;
/** Calls that wait for a thread; more are refused at once. */
const MAX_WAITING = 1_000;

export interface PoolOptions {
  /** A file that serves calls (serve-calls.ts). */
  readonly module: URL;
  /** What the method `open` of each new thread is given. */
  readonly open: unknown;
  /** Threads at most; another one is started when a call finds none idle. */
  readonly threads: number;
  /** Calls that one thread is given at a time. */
  readonly callsEach: number;
  /** How long a thread that is too long at a call has to say that it is alive, in ms. */
  readonly grace?: number;
}

/** How long things may take, in ms. */
export interface CallLimits {
  /** How long the answer is waited for, also while other calls have to be answered before. */
  readonly patience: number;
  /** How long a thread may be at it. */
  readonly longest: number;
}

interface Call {
  readonly method: string;
  readonly argument: unknown;
  readonly longest: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  isGivenUp: boolean;
}

interface Thread {
  readonly client: WorkerClient;
  readonly opened: Promise<unknown>;
  readonly running: Set<Call>;
}

/**
 * Calls into worker threads, begun in the order in which they are made. A call that is not answered in time is given up. A
 * thread that is too long at one, and does not even say that it is alive, is ended and replaced: the calls that it was at
 * are rejected, those that wait are not touched.
 */
export class ThreadPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Call[] = [];
  readonly #unsettled = new Set<Promise<unknown>>();
  readonly #grace: number;
  #closed: Promise<void> | undefined;

  constructor({ grace = GRACE, ...options }: PoolOptions) {
    this.#options = options;
    this.#grace = grace;
  }

  /** Rejects with what WorkerClient does, and with a SearchError `timeout` when there is no answer in time. */
  call(method: string, argument: unknown, { patience, longest }: CallLimits): Promise<unknown> {
    if (this.#closed !== undefined) return Promise.reject(new SearchError('unavailable', 'The search index is closed'));
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new SearchError('unavailable', 'Too many requests wait for the search index'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Call = { method, argument, longest, resolve, reject, isGivenUp: false };
    const timer = setTimeout(() => this.#giveUp(call), Math.max(0, patience));
    const settled = () => {
      clearTimeout(timer);
      this.#unsettled.delete(promise);
    };
    promise.then(settled, settled);
    this.#unsettled.add(promise);
    this.#waiting.push(call);
    this.#deal();
    return promise;
  }

  /** Answers what was asked before, then ends the threads. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#unsettled);
    await Promise.all(
      [...this.#threads].map(async ({ client }) => {
        // one that has died, or hangs, is closed as well
        await Promise.race([client.call('close').catch(() => {}), sleep(this.#grace, undefined, { ref: false })]);
        await client.terminate();
      }),
    );
  }

  #deal(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      if (thread === undefined) return;
      for (const call of this.#waiting.splice(0, 1)) void this.#run(thread, call);
    }
  }

  #freeThread(): Thread | undefined {
    for (const thread of this.#threads) if (thread.client.isDead) this.#threads.delete(thread);
    const [idlest] = [...this.#threads].toSorted((one, other) => one.running.size - other.running.size);
    if (idlest?.running.size === 0) return idlest;
    if (this.#threads.size < this.#options.threads) return this.#start();
    return idlest !== undefined && idlest.running.size < this.#options.callsEach ? idlest : undefined;
  }

  #start(): Thread {
    const client = new WorkerClient(this.#options.module);
    const thread: Thread = { client, opened: client.call('open', this.#options.open), running: new Set() };
    this.#threads.add(thread);
    // the calls that wait for it are rejected with the reason
    thread.opened.catch(() => {
      this.#threads.delete(thread);
      void client.terminate();
    });
    return thread;
  }

  async #run(thread: Thread, call: Call): Promise<void> {
    thread.running.add(call);
    const timer = setTimeout(() => {
      this.#giveUp(call);
      void this.#endUnlessAlive(thread);
    }, call.longest);
    try {
      await thread.opened;
      // not sent while nobody watches over the thread any more
      if (!call.isGivenUp) call.resolve(await thread.client.call(call.method, call.argument));
    } catch (error) {
      call.reject(error);
    }
    clearTimeout(timer);
    thread.running.delete(call);
    this.#deal();
  }

  #giveUp(call: Call): void {
    call.isGivenUp = true;
    call.reject(new SearchError('timeout', 'The search index took too long'));
    const at = this.#waiting.indexOf(call);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  async #endUnlessAlive(thread: Thread): Promise<void> {
    const answer = thread.client.call(IS_ALIVE).catch(() => false);
    if ((await Promise.race([answer, sleep(this.#grace, false, { ref: false })])) === true) return;
    this.#end(thread);
  }

  #end(thread: Thread): void {
    if (!this.#threads.delete(thread)) return;
    for (const { reject } of thread.running) {
      reject(new SearchError('timeout', 'The search index did not answer, and is started anew'));
    }
    // not waited for: what blocks it inside the engine has to end first
    void thread.client.terminate();
    this.#deal();
  }
}
