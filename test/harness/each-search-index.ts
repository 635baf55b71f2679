import { join } from 'node:path';
import { describe, it } from '@jest/globals';
import { SqliteSearchIndex } from '../../api-server/search/sqlite/sqlite-search-index.ts';
import type { OpenIndex } from '../contract/search/fixture.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openTypesenseIndex } from './typesense-index.ts';
import { typesensePart } from './typesense-server.ts';

/**
 * Runs the tests of `body` on each search adapter; one that this machine cannot have is skipped with the reason.
 * @param runs random cases on the embedded one; where each request goes through the network, an eighth.
 */
export async function onEachSearchIndex(
  runs: number,
  body: (name: string, runs: number, open: OpenIndex) => void,
): Promise<void> {
  body('SQLite', runs, openSqlite);
  const part = await typesensePart();
  if ('missing' in part) describe.skip(`Typesense: ${part.missing}`, () => it('does the same', () => {}));
  else body('Typesense', Math.ceil(runs / 8), () => openTypesenseIndex(part.address));
}

const openSqlite: OpenIndex = async () => {
  const folder = await temporaryFolder();
  const index = await SqliteSearchIndex.open({ path: join(folder.path, 'index.db') });
  return {
    index,
    close: async () => {
      await index.close();
      await folder.remove();
    },
  };
};
