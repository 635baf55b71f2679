import { parentPort } from 'node:worker_threads';
import type { WorkerCall } from '../../api-server/search/threads/worker-client.ts';

/** Answers `echo`, keeps silent on `wait`, dies on everything else. */
parentPort?.on('message', ({ id, method, argument }: WorkerCall) => {
  if (method === 'echo') parentPort?.postMessage({ id, value: argument });
  else if (method === 'exit') process.exit(3);
  else if (method === 'throw') throw new Error('out of luck');
});
