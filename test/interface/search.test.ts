import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import {
  HDFS,
  HIVE,
  HIVE_KEY,
  InterfaceService,
  OF_THIS_FILE,
  RETENTION,
  RETENTION_FIELD,
  retention,
  WORDS,
  WORDS_FIELD,
  words,
} from './fixture.ts';

await onEachDeployment((_newDeployment, kind) => {
  let service: InterfaceService;
  const year = { propertyUrn: RETENTION, values: [{ double: 365 }] };
  const bar = { propertyUrn: WORDS, values: [{ string: 'bar2' }] };

  beforeAll(async () => {
    service = await InterfaceService.shared(kind);
    await service.define(retention);
    await service.define(words);
    await service.set(HIVE, [bar, year]);
    await service.set(HDFS, [{ propertyUrn: RETENTION, values: [{ double: 60 }] }]);
    await eventually(async () => expect(await service.find(`_exists_:${RETENTION_FIELD}`)).toEqual([HDFS, HIVE]));
  });

  const listing = (parameters: string) =>
    service.api.get(`/openapi/v3/entity/dataset?query=${OF_THIS_FILE}&${parameters}`);

  describe('parameters of the listing', () => {
    it('systemMetadata says whether system metadata is returned', async () => {
      const shown = async (value: string) => (await listing(`systemMetadata=${value}`)).body.entities[0].status;
      expect(await shown('true')).toHaveProperty('systemMetadata');
      expect(await shown('false')).not.toHaveProperty('systemMetadata');
    });

    it('aspects names the aspects to return, repeatedly', async () => {
      const { body } = await service.search(`${RETENTION_FIELD}:365`);
      expect(body.entities).toEqual([
        { urn: HIVE, datasetKey: { value: HIVE_KEY }, structuredProperties: { value: { properties: [bar, year] } } },
      ]);
      const keys = await listing('aspects=datasetKey');
      expect(Object.keys(keys.body.entities[0])).toEqual(['urn', 'datasetKey']);
    });

    it('count is the number of entities, the next ones follow by scrollId', async () => {
      const first = await listing('count=1&aspects=datasetKey');
      const second = await listing(`count=1&aspects=datasetKey&scrollId=${first.body.scrollId}`);
      expect([first, second].map(({ body }) => body.entities.length)).toEqual([1, 1]);
      expect([first, second].map(({ body }) => body.entities[0].urn)).toEqual([HDFS, HIVE]);
      expect((await listing('count=none')).status).toBe(400);
    });

    it('sort is urn', async () => {
      const { body } = await listing('sort=urn');
      expect(body.entities.map(({ urn }: { urn: string }) => urn)).toEqual([HDFS, HIVE]);
      expect((await listing('sort=colour')).status).toBe(400);
    });

    it('sortOrder is ASCENDING or DESCENDING', async () => {
      const urns = async (order: string) =>
        (await listing(`sortOrder=${order}`)).body.entities.map(({ urn }: { urn: string }) => urn);
      expect(await urns('ASCENDING')).toEqual([HDFS, HIVE]);
      expect(await urns('DESCENDING')).toEqual([HIVE, HDFS]);
      expect((await listing('sortOrder=UP')).status).toBe(400);
    });

    it('query is in query-string syntax and points at the place of a mistake', async () => {
      expect(
        await service.find(`${RETENTION_FIELD}:60 OR (${RETENTION_FIELD}:365 AND NOT platform:hdfs_search)`),
      ).toEqual([HDFS, HIVE]);
      expect(await service.find(`* AND ${OF_THIS_FILE}`)).toEqual([HDFS, HIVE]);
      expect(await service.find('platform:hive_search')).toEqual([HIVE]);
      for (const [query, place] of [
        [`${RETENTION_FIELD}:[1 TO`, 'column'],
        [`${RETENTION_FIELD}:many`, `column ${RETENTION_FIELD.length + 2}: a number is expected`],
        ['colour:red', 'column 1: unknown field colour'],
      ] as const) {
        const { status, body } = await service.search(query);
        expect([status, body.message]).toEqual([400, expect.stringContaining(place)]);
      }
    });
  });

  describe('search names of properties', () => {
    it('an unversioned property has its name with underscores', async () => {
      expect(await service.find('_exists_:structuredProperties.com_example_search_retentionTime02')).toEqual([HIVE]);
      expect(await service.find('structuredProperties.nobody:1')).toEqual([]);
    });

    it('a versioned property has its version and type in its name', async () => {
      const qualifiedName = 'com.example.privacy.versioned';
      await service.define({ ...words, qualifiedName, version: '20240614080000' } as typeof words);
      const propertyUrn = `urn:li:structuredProperty:${qualifiedName}`;
      await service.set(HDFS, [
        { propertyUrn, values: [{ string: 'foo2' }] },
        { propertyUrn: RETENTION, values: [{ double: 60 }] },
      ]);
      const field = 'structuredProperties._versioned.com_example_privacy_versioned.20240614080000.string';
      await eventually(async () => expect(await service.find(`${field}:foo2`)).toEqual([HDFS]));
      expect(await service.find('structuredProperties.com_example_privacy_versioned:foo2')).toEqual([]);
      expect(await service.find(field.replace('080000', '080001'))).toEqual([]);
    });
  });

  describe('forms of a query', () => {
    it('a range', async () => {
      expect(await service.find(`${RETENTION_FIELD}:>300`)).toEqual([HIVE]);
      expect(await service.find(`${RETENTION_FIELD}:[30 TO 60]`)).toEqual([HDFS]);
      expect(await service.find(`${RETENTION_FIELD}:{60 TO *}`)).toEqual([HIVE]);
    });

    it('existence', async () => {
      expect(await service.find(`_exists_:${RETENTION_FIELD}`)).toEqual([HDFS, HIVE]);
      expect(await service.find(`_exists_:${WORDS_FIELD}`)).toEqual([HIVE]);
    });

    it('equality', async () => {
      expect(await service.find(`${RETENTION_FIELD}:60`)).toEqual([HDFS]);
      expect(await service.find(`${WORDS_FIELD}:bar2`)).toEqual([HIVE]);
      expect(await service.find(`${WORDS_FIELD}:"bar2"`)).toEqual([HIVE]);
      expect(await service.find(`${WORDS_FIELD}:b?r*`)).toEqual([HIVE]);
    });
  });

  it('no full-text search looks into property values', async () => {
    expect(await service.find('bar2')).toEqual([]);
  });
});
