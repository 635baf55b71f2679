import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataFolder } from '../store/sqlite/data-lock.ts';
import { compareIndex, type IndexDifferences } from './compare-index.ts';
import { type Inspection, inspectFile } from './inspect-file.ts';
import { type Rebuilt, rebuildFile } from './rebuild-file.ts';

/** Looks at the data folder of a process that does not run. */

export interface Diagnosis extends Inspection {
  readonly file: string;
  /** `undefined`: there is no index that can be compared. */
  readonly differences?: IndexDifferences;
}

/** Nothing of the store is damaged; of the index something may be. */
export function isStoreWhole({ store, damagedCount }: Diagnosis): boolean {
  return store.length === 0 && damagedCount === 0;
}

export function isWhole(diagnosis: Diagnosis): boolean {
  return isStoreWhole(diagnosis) && diagnosis.index.length === 0;
}

/** @throws Error when there is no store in the folder, or a process has it. */
export function diagnose(folder: string): Promise<Diagnosis> {
  return withFile(folder, async (file) => {
    const inspection = inspectFile(file, { isThorough: true });
    const differences = compareIndex(file);
    return { file, ...inspection, ...(differences === undefined ? {} : { differences }) };
  });
}

/** As `rebuildFile`. @throws Error when there is no store in the folder, or a process has it. */
export function rebuild(folder: string, mayLeaveOut: boolean): Promise<Rebuilt | undefined> {
  const name = `damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  return withFile(folder, (file) => rebuildFile(file, { mayLeaveOut, name }));
}

async function withFile<T>(folder: string, work: (file: string) => Promise<T>): Promise<T> {
  const file = join(folder, 'proplane.db');
  if (!existsSync(file)) throw new Error(`${folder} has no proplane.db: name the folder with --data-dir`);
  const unlock = lockDataFolder(folder);
  try {
    return await work(file);
  } finally {
    unlock();
  }
}
