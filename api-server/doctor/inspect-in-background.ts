import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Inspection } from './inspect-file.ts';

/** Looks at the file in a thread of its own, so that nobody waits. */
export class BackgroundInspection {
  readonly #worker: Worker;
  readonly outcome: Promise<Inspection>;

  constructor(path: string) {
    // in development this file is TypeScript, and so is the worker
    const module = new URL(`./inspect-worker${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(module, { workerData: { path } });
    // rejects when the worker throws
    this.outcome = once(this.#worker, 'message').then(([inspection]) => inspection as Inspection);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
