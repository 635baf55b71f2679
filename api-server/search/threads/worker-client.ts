import { Worker } from 'node:worker_threads';
import { SearchError, type SearchErrorCode } from '../errors.ts';

export interface WorkerCall {
  readonly id: number;
  readonly method: string;
  readonly argument: unknown;
}

/** What a worker posts back: the outcome of a call, or message and code of what it threw. */
export type WorkerReply = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly failure: string; readonly code?: SearchErrorCode }
);

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * What a thread may keep of JavaScript objects, in MiB; with more it ends, and the process does not. The language lets
 * garbage grow to about as much, in each of three threads.
 */
const MAX_HEAP = 192;

/** Calls into a worker thread; many may be under way. */
export class WorkerClient {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #failure: Error | undefined;

  /** `module` is a file that answers each WorkerCall with a WorkerReply. */
  constructor(module: URL) {
    this.#worker = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP } });
    this.#worker.on('message', (reply: WorkerReply) => this.#settle(reply));
    this.#worker.on('messageerror', (error) => this.#fail(messageOf(error)));
    this.#worker.on('error', (error) => this.#fail(messageOf(error)));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#fail(`the worker thread has ended (${code})`);
        resolve();
      });
    });
  }

  /** The thread has ended, or is about to: it answers nothing any more. */
  get isDead(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Rejects with what the worker threw: a SearchError, or an Error with the message; once the worker has died, with a
   * SearchError that says why.
   */
  call(method: string, argument?: unknown): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const call: WorkerCall = { id, method, argument };
      this.#worker.postMessage(call);
      this.#pending.set(id, { resolve, reject });
    });
  }

  /** Ends the thread; calls that are still under way are rejected. What blocks it inside the engine is waited for. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended;
  }

  #settle(reply: WorkerReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('value' in reply) pending?.resolve(reply.value);
    else
      pending?.reject(reply.code === undefined ? new Error(reply.failure) : new SearchError(reply.code, reply.failure));
  }

  /** The first failure is the reason; the ones after it follow from it. */
  #fail(reason: string): void {
    this.#failure ??= new SearchError('unavailable', `The search index did not answer: ${reason}`);
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}

/** Of whatever was thrown; an error from another thread need not be an instance of this one's Error. */
export function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(message);
}
