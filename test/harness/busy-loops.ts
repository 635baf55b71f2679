import { type ChildProcess, spawn } from 'node:child_process';

/** Keeps processors busy, to see what a test does on a machine that is slow. @returns how to end that. */
export function busyLoops(count: number): () => void {
  const loops: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}
