import { parentPort } from 'node:worker_threads';
import { SearchError } from '../errors.ts';
import type { AggregateRequest, IndexChange, SearchRequest } from '../port.ts';
import { IndexFile } from './index-file.ts';
import { messageOf, type WorkerCall, type WorkerReply } from './worker-client.ts';

/** What each method of the index takes, as it crosses to the worker thread; `rebuild` is the id of a rebuild. */
export interface WorkerMethods {
  open: { path: string; maxMatchingValues: number };
  apply: { rebuild?: string | undefined; changes: readonly IndexChange[] };
  search: SearchRequest;
  aggregate: AggregateRequest;
  versions: { rebuild?: string | undefined; urns: readonly string[] };
  scan: { rebuild?: string | undefined; after: string | undefined; limit: number };
  fields: { rebuild?: string | undefined };
  rebuild: string;
  finish: string;
  abandonRebuild: string;
  ping: undefined;
  close: undefined;
}

let file: IndexFile | undefined;

const methods: { [M in keyof WorkerMethods]: (argument: WorkerMethods[M]) => unknown } = {
  open({ path, maxMatchingValues }) {
    file = new IndexFile(path, maxMatchingValues);
  },
  apply: ({ changes, rebuild }) => opened().apply(changes, rebuild),
  search: (request) => opened().search(request),
  aggregate: (request) => opened().aggregate(request),
  versions: ({ urns, rebuild }) => opened().versions(urns, rebuild),
  scan: ({ after, limit, rebuild }) => opened().scan(after, limit, rebuild),
  fields: ({ rebuild }) => opened().fields(rebuild),
  rebuild: (id) => opened().rebuild(id),
  finish: (id) => opened().finish(id),
  abandonRebuild: (id) => opened().abandonRebuild(id),
  ping: () => opened().ping(),
  close: () => opened().close(),
};

parentPort?.on('message', (call: WorkerCall) => {
  parentPort?.postMessage(answer(call));
});

function answer({ id, method, argument }: WorkerCall): WorkerReply {
  try {
    const run = methods[method as keyof WorkerMethods] as (given: unknown) => unknown;
    return { id, value: run(argument) };
  } catch (error) {
    return { id, failure: messageOf(error), ...(error instanceof SearchError ? { code: error.code } : {}) };
  }
}

function opened(): IndexFile {
  if (file === undefined) throw new Error('The index is not open');
  return file;
}
