import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** A real file system of a few MiB, which a test can fill. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all of its room. */
  fill(): void;
  makeRoom(): void;
  remove(): Promise<void>;
}

/** @returns why there is none, where the machine does not let this user mount one. */
export async function smallDisk(mebibytes: number): Promise<SmallDisk | { readonly missing: string }> {
  const { path, remove } = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    await remove();
    return {
      missing: `no disk of its own can be mounted: ${String((error as Error).message)
        .split('\n')
        .join(' ')}`,
    };
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: () => fill(ballast),
    makeRoom: () => rmSync(ballast, { force: true }),
    async remove() {
      execFileSync('umount', ['--lazy', path]);
      await remove();
    },
  };
}

function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (const size of [1024 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) === piece.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
