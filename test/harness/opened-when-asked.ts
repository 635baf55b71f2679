import type { SearchIndex } from '../../api-server/search/port.ts';

/** An index that is opened by its first call: its threads take longer to start than most tests that do not search. */
export function openedWhenAsked(open: () => Promise<SearchIndex>): SearchIndex {
  let opened: Promise<SearchIndex> | undefined;
  const index = () => {
    opened ??= open();
    return opened;
  };
  return {
    search: async (request) => (await index()).search(request),
    aggregate: async (request) => (await index()).aggregate(request),
    apply: async (changes) => (await index()).apply(changes),
    versions: async (urns) => (await index()).versions(urns),
    scan: async (after, limit) => (await index()).scan(after, limit),
    fields: async () => (await index()).fields(),
    rebuild: async (id) => (await index()).rebuild(id),
    abandonRebuild: async (id) => (await index()).abandonRebuild(id),
    ping: async () => (await index()).ping(),
    close: async () => (await opened)?.close(),
  };
}
