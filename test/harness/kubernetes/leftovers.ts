import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../shared-part.ts';

/** Has test/run.ts end a process of a test file that is broken off before it ends it itself. */
export function endWithRun(child: ChildProcess): void {
  const run = process.env.PROPLANE_TEST_RUN;
  if (run === undefined || child.pid === undefined) return;
  const file = join(run, `process-${child.pid}.part`);
  const part: Part = { address: '', pid: child.pid };
  writeFileSync(file, JSON.stringify(part));
  // by the end of the run the number may be that of another process
  child.once('exit', () => rmSync(file, { force: true }));
}
