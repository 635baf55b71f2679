import { join } from 'node:path';
import { SqliteSearchIndex } from '../../api-server/search/sqlite/sqlite-search-index.ts';
import { SqliteStore } from '../../api-server/store/sqlite/store.ts';
import type { Deployment } from './deployments.ts';
import { openedCatalogue } from './opened-catalogue.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An empty catalogue in a folder of its own, for one process at a time. */
export async function embeddedDeployment(): Promise<Deployment> {
  const { path: folder, remove } = await temporaryFolder();
  const path = join(folder, 'proplane.db');
  return {
    folder,
    environment: { DATA_DIR: folder },
    embedded: true,
    async open() {
      const store = SqliteStore.open({ path });
      const search = await SqliteSearchIndex.open({ path });
      return openedCatalogue(store, search);
    },
    remove,
  };
}
