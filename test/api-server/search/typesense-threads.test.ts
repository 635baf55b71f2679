import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Rebuild } from '../../../api-server/search/port.ts';
import { typesenseInThreads } from '../../../api-server/search/typesense/typesense-threads.ts';
import { costContract } from '../../contract/search/costs.ts';
import { equal, everything, find, type OpenIndex, put, urnOf } from '../../contract/search/fixture.ts';
import { openTypesenseIndex } from '../../harness/typesense-index.ts';
import { TYPESENSE_API_KEY, typesensePart } from '../../harness/typesense-server.ts';

const part = await typesensePart();

if ('missing' in part) {
  describe.skip(`Typesense in threads: ${part.missing}`, () => {
    it('answers as it does without', () => {});
  });
} else {
  describe('Typesense in threads', () => answersAsWithout(part.address));
}

/** The contract is kept by what lives in the threads; here is what crosses to them. */
function answersAsWithout(url: string): void {
  const open: OpenIndex = async () => {
    const prefix = `test-${randomUUID()}`;
    const index = typesenseInThreads({ url, apiKey: TYPESENSE_API_KEY, prefix });
    const beside = await openTypesenseIndex(url, { prefix });
    return {
      index,
      close: async () => {
        await index.close();
        await beside.close();
      },
    };
  };

  costContract(open);

  it('carries every method there and back', async () => {
    const { index, close } = await open();
    const field = 'p:string';
    const values = (...all: string[]) => [{ field, type: 'string' as const, values: all }];
    await index.apply([put('x', values('a', 'b')), put('y', values('b'))]);
    expect(await find(index, equal(field, 'a'))).toEqual(['x']);
    expect(await index.aggregate({ ...everything, field })).toEqual([
      { value: 'b', count: 2 },
      { value: 'a', count: 1 },
    ]);
    expect(await index.versions([urnOf('y')])).toEqual([{ urn: urnOf('y'), incarnation: 'life1', revision: 1 }]);
    expect(await index.scan(urnOf('x'), 5)).toHaveLength(1);
    expect(await index.fields()).toEqual([field]);
    const rebuild: Rebuild = await index.rebuild('first');
    expect(rebuild.state).toBe('begun');
    await rebuild.apply([put('z', values('c'))]);
    expect((await index.rebuild('first')).state).toBe('resumed');
    expect(await rebuild.versions([urnOf('z')])).toHaveLength(1);
    await index.abandonRebuild('first');
    await expect(rebuild.scan(undefined, 1)).rejects.toThrow('finished or abandoned');
    const second = await index.rebuild('second');
    await second.apply([put('z', values('c'))]);
    await second.finish();
    expect((await index.search(everything)).hits.map(({ urn }) => urn)).toEqual([urnOf('z')]);
    await index.ping();
    await close();
    await expect(index.ping()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is unavailable, and says where, while the server is away', async () => {
    const index = typesenseInThreads({ url: 'http://127.0.0.1:9', apiKey: 'secret', prefix: 'x' });
    for (const request of [() => index.search(everything), () => index.apply([put('x', [])])]) {
      await expect(request()).rejects.toMatchObject({
        name: 'SearchError',
        code: 'unavailable',
        message: expect.stringContaining('http://127.0.0.1:9'),
      });
    }
    await index.close();
  });
}
