import { afterAll, describe, expect, it } from '@jest/globals';
import type { IndexField } from '../../../../api-server/search/port.ts';
import { equal, everything, find, like, put } from '../../../contract/search/fixture.ts';
import { eventually } from '../../../harness/api.ts';
import { openTypesenseIndex } from '../../../harness/typesense-index.ts';
import { startTypesenseServer } from '../../../harness/typesense-server.ts';

const server = await startTypesenseServer().catch((error: unknown) => ({ missing: String(error) }));
const field = 'p:string';
const strings = (...values: string[]): IndexField[] => [{ field, type: 'string', values }];

if ('missing' in server) {
  describe.skip(`Typesense: ${server.missing}`, () => {
    it('may be away', () => {});
  });
} else {
  describe('while Typesense', () => {
    afterAll(() => server.stop());
    const open = () => openTypesenseIndex(server.url, { timeoutSeconds: 1 });
    type Index = Awaited<ReturnType<typeof open>>['index'];

    const requests: Record<string, (index: Index) => Promise<unknown>> = {
      ping: (index) => index.ping(),
      search: (index) => index.search(everything),
      'search in the dictionary': (index) =>
        index.search({ ...everything, condition: like(field, ['*', { literal: 'v' }]) }),
      aggregate: (index) => index.aggregate({ ...everything, field }),
      scan: (index) => index.scan(undefined, 10),
      apply: (index) => index.apply([put('late', strings('v'))]),
      rebuild: (index) => index.rebuild('first'),
    };
    const expectUnavailable = async (index: Index, reason: string) => {
      for (const [what, request] of Object.entries(requests)) {
        const error: unknown = await request(index).catch((thrown: unknown) => thrown);
        expect([what, error]).toEqual([what, expect.objectContaining({ code: 'unavailable' })]);
        expect(String(error)).toContain(server.url);
        expect(String(error)).toContain(reason);
        expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(server.apiKey);
      }
    };

    it('is away, every request is unavailable; when it is back, all goes on', async () => {
      const { index, close } = await open();
      await index.apply([put('x', strings('v'))]);
      await server.kill();
      await expectUnavailable(index, 'did not answer');
      await server.start();
      expect(await eventually(() => find(index, equal(field, 'v')))).toEqual(['x']);
      await index.apply([put('y', strings('v'))]);
      expect(await find(index, like(field, ['?']))).toEqual(['x', 'y']);
      await close();
    });

    it('is starting, its data are never taken for gone', async () => {
      const { index, close } = await open();
      const rebuild = await index.rebuild('first');
      const names = Array.from({ length: 5_000 }, (_, at) => `e${at}`);
      for (let from = 0; from < names.length; from += 500) {
        await rebuild.apply(names.slice(from, from + 500).map((name) => put(name, strings('v', name))));
      }
      await rebuild.finish();
      for (let round = 0; round < 3; round++) {
        await server.kill();
        const started = server.start();
        // as early as it can answer
        expect((await eventually(() => index.search(everything), 60_000)).total).toBe(names.length);
        await started;
        expect((await index.rebuild('first')).state).toBe('finished');
      }
      await close();
    });

    it('is away, the index can be opened, and is made when it is back', async () => {
      await server.kill();
      const { index, close } = await open();
      await expectUnavailable(index, 'did not answer');
      await server.start();
      await eventually(() => index.apply([put('x', strings('v'))]));
      expect(await find(index, equal(field, 'v'))).toEqual(['x']);
      await close();
    });

    it('takes connections and does not answer, every request ends', async () => {
      const { index, close } = await open();
      server.pause();
      await expectUnavailable(index, 'did not answer');
      server.resume();
      await eventually(() => index.ping());
      await eventually(async () => expect(await find(index, equal(field, 'v'))).toEqual([]));
      await index.apply([put('x', strings('v'))]);
      expect(await find(index, equal(field, 'v'))).toEqual(['x']);
      await close();
    });

    it('refuses the key, every request says so', async () => {
      const { again, close } = await open();
      await expectUnavailable(await again({ apiKey: 'another' }), 'check TYPESENSE_API_KEY');
      await close();
    });
  });
}
