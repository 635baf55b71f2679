import { readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of 10 ms. */
const MS_PER_TICK = 10;

/** Whether this machine tells what a process uses. */
export const TELLS_FIGURES = process.platform === 'linux';

/** Processor time that the main thread of a process has used, in ms: what others do on the machine does not count. */
export function mainThreadMs(pid: number): number {
  // behind the name of the program, which may hold anything, in parentheses
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    .replace(/^.*\) /su, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** The most memory that a process has had at one time, in bytes. */
export function peakMemory(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
