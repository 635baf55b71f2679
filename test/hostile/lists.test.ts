import { expect, it } from '@jest/globals';
import { MAX_LISTED, MAX_NAMED_RESOURCES, MAX_NAMES, MAX_STATUS_LENGTH } from '../../model/limits.ts';
import { expectUndisturbed, onEachSiege } from '../harness/under-attack.ts';

/** Lists as long as a body may have them, and what many small requests leave to be listed. */
await onEachSiege((siege, { embedded }) => {
  const resource = (index: number) => ({
    kind: 'DatasetProperties',
    namespace: 'shop',
    name: `r${index}`,
    specHash: '',
  });
  const resources = (count: number) => Array.from({ length: count }, (_, index) => resource(index));

  it('of names are refused beyond their limits', async () => {
    const seen = await siege().during(async (api) => {
      const entities = Array.from({ length: 1_000_000 }, () => 'dataset');
      const answers = [
        await api.post('/openapi/v3/entity/scroll', { entities }),
        await api.post('/openapi/v3/entity/scroll', { aspects: entities }),
        await api.post('/resources/register', { source: 's', resources: resources(MAX_NAMED_RESOURCES + 1) }),
        await api.send('PUT', '/resources/held-deletions', { source: 's', resources: resources(100_000) }),
      ];
      for (const { status } of answers) expect([400, 413]).toContain(status);
      const some = await api.post('/openapi/v3/entity/scroll', { entities: entities.slice(0, MAX_NAMES) });
      expect(some.body.totalCount).toBe(1);
    });
    expectUndisturbed(seen);
  });

  it('of what was registered have pages, which together are the whole', async () => {
    const count = embedded ? MAX_LISTED + 50 : 300;
    const seen = await siege().during(async (api) => {
      const { status } = await api.post('/resources/register', { source: 's', resources: resources(count) });
      expect(status).toBe(200);
      const pages: string[][] = [];
      let after: string | undefined;
      do {
        const query = `count=${embedded ? MAX_LISTED : 130}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`;
        const { body } = await api.get(`/resources?${query}`);
        pages.push(body.resources.map(({ name }: { name: string }) => name));
        after = body.next;
      } while (after !== undefined);
      expect(pages.map(({ length }) => length)).toEqual(embedded ? [MAX_LISTED, 50] : [130, 130, 40]);
      expect(new Set(pages.flat()).size).toBe(count);
    });
    expectUndisturbed(seen);
  });

  it('of statuses do not grow with what somebody reports', async () => {
    const path = '/resources/DatasetProperties/shop/r1';
    const report = (length: number) => ({ source: 's', status: { message: 'x'.repeat(length) } });
    const seen = await siege().during(async (api) => {
      expect((await api.send('PUT', path, report(MAX_STATUS_LENGTH))).status).toBe(413);
      expect((await api.send('PUT', path, report(MAX_STATUS_LENGTH - 100))).status).toBe(200);
    });
    expectUndisturbed(seen);
  });
});
