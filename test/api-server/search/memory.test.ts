import { searchIndexContract } from '../../contract/search-index.ts';
import { MemorySearchIndex } from '../../harness/memory-search-index.ts';

searchIndexContract('the memory model', async () => {
  const index = new MemorySearchIndex();
  return { index, close: () => index.close() };
});
