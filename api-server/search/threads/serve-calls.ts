import { parentPort } from 'node:worker_threads';
import { SearchError } from '../errors.ts';
import { messageOf, type WorkerCall, type WorkerReply } from './worker-client.ts';

/** Answered by every worker, at once unless something blocks it. */
export const IS_ALIVE = 'isAlive';

type Methods = Readonly<Record<string, (argument: never) => unknown>>;

/**
 * Answers the calls that come to this worker thread by methods of these names.
 * @param explained what the caller is to get for what a method throws.
 */
export function serveCalls(methods: Methods, explained: (error: unknown) => unknown = (error) => error): void {
  const answer = async ({ id, method, argument }: WorkerCall): Promise<WorkerReply> => {
    if (method === IS_ALIVE) return { id, value: true };
    try {
      return { id, value: await methods[method]?.(argument as never) };
    } catch (thrown) {
      const error = explained(thrown);
      return { id, failure: messageOf(error), ...(error instanceof SearchError ? { code: error.code } : {}) };
    }
  };
  parentPort?.on('message', async (call: WorkerCall) => {
    parentPort?.postMessage(await answer(call));
  });
}
