import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { SourceHolder } from '../model/wire/source-record.ts';

/** What an operator tells of its process, so that the next one on the same machine can tell whether it is gone. */

export const HOST = hostname();

/** The processes among which a pid is unique: of one machine since it started, and of one container on it. */
export const PROCESSES = [
  readIfPossible(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  readIfPossible(() => readlinkSync('/proc/self/ns/pid')),
].join(' ');

/** Whether a process of this machine certainly ended; `false` of all others. */
export function isGone({ place, processes, pid }: Pick<SourceHolder, 'place' | 'processes' | 'pid'>): boolean {
  if (place.host !== HOST || processes !== PROCESSES) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Other systems than Linux have no such files. */
function readIfPossible(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
