import type { IndexEntries } from '../port.ts';
import { serveCalls } from '../threads/serve-calls.ts';
import type { EngineMethods } from '../threads/threaded-search-index.ts';
import { type TypesenseOptions, TypesenseSearchIndex } from './typesense-search-index.ts';

let index: TypesenseSearchIndex | undefined;

type Methods = EngineMethods & { open: TypesenseOptions; close: undefined };

const methods: { [M in keyof Methods]: (argument: Methods[M]) => unknown } = {
  async open(options) {
    index = await TypesenseSearchIndex.open(options);
  },
  apply: ({ changes, rebuild }) => entries(rebuild).apply(changes),
  search: (request) => opened().search(request),
  aggregate: (request) => opened().aggregate(request),
  versions: ({ urns, rebuild }) => entries(rebuild).versions(urns),
  scan: ({ after, limit, rebuild }) => entries(rebuild).scan(after, limit),
  fields: ({ rebuild }) => entries(rebuild).fields(),
  rebuild: async (id) => (await opened().rebuild(id)).state,
  finish: (id) => opened().known(id).finish(),
  abandonRebuild: (id) => opened().abandonRebuild(id),
  ping: () => opened().ping(),
  close: () => opened().close(),
};

serveCalls(methods);

function entries(rebuild: string | undefined): IndexEntries {
  return rebuild === undefined ? opened() : opened().known(rebuild);
}

function opened(): TypesenseSearchIndex {
  if (index === undefined) throw new Error('The index is not open');
  return index;
}
