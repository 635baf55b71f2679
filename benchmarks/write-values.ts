import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATASETS, datasetUrn, type Figure, type Servers } from './servers.ts';

/** Loading datasets with a value each, stored and searchable, against bare inserts of documents of that size. */
export async function writeValuesBenchmark({ loadedPerSecond }: Servers): Promise<Figure[]> {
  return [{ name: 'load datasets with a value', value: loadedPerSecond, baseline: bareInserts(), unit: 'datasets/s' }];
}

function bareInserts(): number {
  const folder = mkdtempSync(join(tmpdir(), 'proplane-bench-'));
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE documents (urn TEXT PRIMARY KEY, document TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?)');
  const started = performance.now();
  for (let index = 0; index < DATASETS; index += 1) {
    if (index % 64 === 0) database.exec('BEGIN');
    insert.run(datasetUrn(index), JSON.stringify({ urn: datasetUrn(index), filler: 'x'.repeat(700) }));
    if (index % 64 === 63 || index === DATASETS - 1) database.exec('COMMIT');
  }
  const perSecond = (DATASETS * 1000) / (performance.now() - started);
  database.close();
  rmSync(folder, { recursive: true, force: true });
  return perSecond;
}
