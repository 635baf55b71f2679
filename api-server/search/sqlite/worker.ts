import { parentPort } from 'node:worker_threads';
import type { IndexChange, SearchRequest } from '../port.ts';
import { SqliteEntries } from './entries.ts';
import { messageOf, type WorkerCall, type WorkerReply } from './worker-client.ts';

/** What each method of the index takes, as it crosses to the worker thread. */
export interface WorkerMethods {
  open: { path: string };
  apply: readonly IndexChange[];
  search: SearchRequest;
  versions: readonly string[];
  scan: { after: string | undefined; limit: number };
  ping: undefined;
  close: undefined;
}

let entries: SqliteEntries | undefined;

parentPort?.on('message', (call: WorkerCall) => {
  parentPort?.postMessage(answer(call));
});

function answer({ id, method, argument }: WorkerCall): WorkerReply {
  try {
    return { id, value: run(method as keyof WorkerMethods, argument) };
  } catch (error) {
    return { id, failure: messageOf(error) };
  }
}

function run(method: keyof WorkerMethods, argument: unknown): unknown {
  if (method === 'open') {
    entries = new SqliteEntries((argument as WorkerMethods['open']).path);
    return undefined;
  }
  if (entries === undefined) throw new Error('The index is not open');
  switch (method) {
    case 'apply':
      return entries.apply(argument as WorkerMethods['apply']);
    case 'search':
      return entries.search(argument as WorkerMethods['search']);
    case 'versions':
      return entries.versions(argument as WorkerMethods['versions']);
    case 'scan': {
      const { after, limit } = argument as WorkerMethods['scan'];
      return entries.scan(after, limit);
    }
    case 'ping':
      return entries.ping();
    case 'close':
      return entries.close();
  }
}
