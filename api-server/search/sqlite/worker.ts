import { isDamage } from '../../store/sqlite/errors.ts';
import { SearchError } from '../errors.ts';
import { serveCalls } from '../threads/serve-calls.ts';
import type { EngineMethods } from '../threads/threaded-search-index.ts';
import { messageOf } from '../threads/worker-client.ts';
import { IndexFile, type IndexFileOptions } from './index-file.ts';

let file: IndexFile | undefined;

type Methods = EngineMethods & { open: IndexFileOptions; close: undefined };

const methods: { [M in keyof Methods]: (argument: Methods[M]) => unknown } = {
  open(options) {
    file = new IndexFile(options);
  },
  apply: ({ changes, rebuild }) => opened().apply(changes, rebuild),
  search: (request) => opened().search(request),
  aggregate: (request) => opened().aggregate(request),
  versions: ({ urns, rebuild }) => opened().versions(urns, rebuild),
  scan: ({ after, limit, rebuild }) => opened().scan(after, limit, rebuild),
  fields: ({ rebuild }) => opened().fields(rebuild),
  rebuild: (id) => opened().rebuild(id),
  finish: (id) => opened().finish(id),
  abandonRebuild: (id) => opened().abandonRebuild(id),
  ping: () => opened().ping(),
  close: () => opened().close(),
};

serveCalls(methods, (error) => {
  if (error instanceof SearchError) return error;
  return isDamage(error)
    ? new SearchError(
        'damaged',
        `The search index is damaged (${messageOf(error)}). \`proplane doctor\` says how to make it anew`,
      )
    : new SearchError('unavailable', `The search index did not answer: ${messageOf(error)}`);
});

function opened(): IndexFile {
  if (file === undefined) throw new Error('The index is not open');
  return file;
}
