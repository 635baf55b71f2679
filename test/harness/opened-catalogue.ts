import type { SearchIndex } from '../../api-server/search/port.ts';
import type { Store } from '../../api-server/store/port.ts';

/** The two backends of a catalogue, opened by no process. */
export interface OpenedCatalogue {
  readonly store: Store;
  readonly search: SearchIndex;
  close(): Promise<void>;
}

export function openedCatalogue(store: Store, search: SearchIndex): OpenedCatalogue {
  return {
    store,
    search,
    close: async () => {
      await search.close();
      await store.close();
    },
  };
}
