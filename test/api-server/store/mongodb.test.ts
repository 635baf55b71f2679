import { describe, expect, it } from '@jest/globals';
import { MongodbStore } from '../../../api-server/store/mongodb/store.ts';
import { documentOf, fenceOf, nextOf, type OpenedStore } from '../../contract/store/fixture.ts';
import { storeContract } from '../../contract/store.ts';
import { dropDatabase, newDatabase, onNewDatabase } from '../../harness/mongodb-database.ts';
import { mongodbPart } from '../../harness/mongodb-server.ts';

const part = await mongodbPart();

if ('missing' in part) describe.skip(`MongoDB: ${part.missing}`, () => it('keeps the contract of the store', () => {}));
else {
  storeContract('MongoDB', () => openedStore(part.address));
  describe('the database of the MongoDB store', () => databaseTests(part.address));
}

async function openedStore(uri: string): Promise<OpenedStore> {
  const database = newDatabase();
  let store = await MongodbStore.open({ uri, database });
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await MongodbStore.open({ uri, database });
      return store;
    },
    close: async () => {
      await store.close();
      await dropDatabase(uri, database);
    },
  };
}

interface Version {
  _id: string;
  version: number;
}

function databaseTests(uri: string): void {
  it(
    'is refused when a newer release has written it, and stays as it is',
    onNewDatabase(uri, async (client, database) => {
      await (await MongodbStore.open({ uri, database })).close();
      const versions = client.db(database).collection<Version>('store_schema');
      await versions.updateOne({ _id: 'store' }, { $set: { version: 99 } });
      await client.db(database).collection('entities').dropIndex('outbox');
      await expect(MongodbStore.open({ uri, database })).rejects.toThrow(
        /has schema version 99, this release knows \d+: start the newer/u,
      );
      expect(await client.db(database).collection('entities').indexExists('outbox')).toBe(false);
      expect(await versions.find().toArray()).toEqual([{ _id: 'store', version: 99 }]);
    }),
  );

  it(
    'is brought forward from an older version',
    onNewDatabase(uri, async (client, database) => {
      const versions = client.db(database).collection<Version>('store_schema');
      await versions.insertOne({ _id: 'store', version: 0 });
      await (await MongodbStore.open({ uri, database })).close();
      expect((await versions.findOne())?.version).toBeGreaterThan(0);
      expect(await client.db(database).collection('entities').indexExists('outbox')).toBe(true);
    }),
  );

  it(
    'may be opened by many at once when it is empty, and they see what the others write',
    onNewDatabase(uri, async (client, database) => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => MongodbStore.open({ uri, database })));
      const inserted = await Promise.all(stores.map(({ entities }) => entities.insert(documentOf('a'))));
      expect(inserted.filter(Boolean)).toHaveLength(1);
      const next = nextOf(documentOf('a'));
      const replaced = await Promise.all(stores.map(({ entities }) => entities.replace(next, documentOf('a'))));
      expect(replaced.filter(Boolean)).toHaveLength(1);
      for (const { entities } of stores) expect(await entities.dirty(10)).toEqual([next]);
      expect(await client.db(database).collection('store_schema').countDocuments()).toBe(1);
      await Promise.all(stores.map((store) => store.close()));
    }),
  );

  it(
    'has one fence for all who open it, which none of them lowers',
    onNewDatabase(uri, async (_, database) => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => MongodbStore.open({ uri, database })));
      for (let round = 0; round < 5; round += 1) {
        const raised = stores.map(({ fences }, index) => fences.raise(fenceOf(5 * round + index)));
        await Promise.allSettled(raised);
        const highest = 5 * round + stores.length - 1;
        for (const { entities, fences } of stores) {
          expect(await fences.list()).toEqual([fenceOf(highest)]);
          const late = entities.insert(documentOf('late'), fenceOf(highest - 1));
          await expect(late).rejects.toMatchObject({ code: 'fenced' });
        }
      }
      await Promise.all(stores.map((store) => store.close()));
    }),
  );
}
