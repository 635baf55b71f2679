import { parentPort, workerData } from 'node:worker_threads';
import { inspectFile } from './inspect-file.ts';

parentPort?.postMessage(inspectFile((workerData as { path: string }).path, { isThorough: false }));
