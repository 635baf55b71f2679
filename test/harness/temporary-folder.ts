import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder and how to remove it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'proplane-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Runs a test with the path of a file that is not there yet, in a folder that is removed afterwards. */
export async function withTemporaryFile(name: string, test: (path: string) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  try {
    await test(join(folder.path, name));
  } finally {
    await folder.remove();
  }
}
