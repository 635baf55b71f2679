import { describe, it } from '@jest/globals';
import { searchIndexContract } from '../../contract/search-index.ts';
import { openTypesenseIndex } from '../../harness/typesense-index.ts';
import { typesensePart } from '../../harness/typesense-server.ts';

const part = await typesensePart();

if ('missing' in part) {
  describe.skip(`Typesense: ${part.missing}`, () => {
    it('keeps the contract of the search port', () => {});
  });
} else {
  searchIndexContract('Typesense', () => openTypesenseIndex(part.address));
}
