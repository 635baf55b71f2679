import { describe, expect, it } from '@jest/globals';
import { StoreError } from '../../../../api-server/store/errors.ts';
import { MongodbStore } from '../../../../api-server/store/mongodb/store.ts';
import type { Store } from '../../../../api-server/store/port.ts';
import { documentOf, fenceOf, insertAll, nextOf, urnOf } from '../../../contract/store/fixture.ts';
import { eventually } from '../../../harness/api.ts';
import { type MongodbServer, startMongodbServer } from '../../../harness/mongodb-server.ts';
import { installedSecantusDb } from '../../../harness/secantusdb.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const AWAY = { name: 'StoreError', code: 'unavailable' };

/** Every kind of operation that a request can come to. */
function operations(store: Store): Promise<unknown>[] {
  const { entities, records, fences } = store;
  const document = documentOf('away');
  return [
    store.ping(),
    entities.get(document.urn),
    entities.getMany([document.urn], 1),
    entities.versions([document.urn]),
    entities.list({ limit: 1 }),
    entities.count(),
    entities.insert(document),
    entities.replace(nextOf(document), document),
    entities.dirty(1),
    entities.countDirty(),
    entities.clean([document]),
    entities.purge(5, 1),
    entities.holders({ propertyUrn: 'p', limit: 1 }),
    entities.countHolders('p', 'e'),
    entities.owners({ source: 'git', limit: 1 }),
    records.get('kind', 'id'),
    records.put('kind', 'id', 1, undefined),
    records.put('kind', 'id', 1, 'r'),
    records.delete('kind', 'id', 'r'),
    records.list('kind', undefined, 1),
    fences.raise(fenceOf(1)),
    fences.list(),
    entities.insert(document, fenceOf(1)),
    records.put('kind', 'id', 1, undefined, fenceOf(1)),
  ];
}

async function expectAway(store: Store): Promise<void> {
  for (const outcome of await Promise.allSettled(operations(store))) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: AWAY });
  }
}

/** Every server that the test starts keeps its data in the same folder. */
async function withServers(test: (start: (port?: number) => Promise<MongodbServer>) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  const servers: MongodbServer[] = [];
  try {
    await test(async (port) => {
      const server = await startMongodbServer({ folder: folder.path, ...(port === undefined ? {} : { port }) });
      servers.push(server);
      return server;
    });
  } finally {
    for (const server of servers) await server.kill();
    await folder.remove();
  }
}

function outages(): void {
  it(
    'lets every method reject, and the same store goes on when the server is there again',
    () =>
      withServers(async (start) => {
        const server = await start();
        const store = await MongodbStore.open({ uri: server.uri });
        try {
          await insertAll(store, documentOf('a'));
          const revision = await store.records.put('kind', 'known', { x: 1 }, undefined);
          const documents = Array.from({ length: 50 }, (_, index) => documentOf(`d${index}`));
          const writes = documents.map((document) => store.entities.insert(document));
          await writes[0];
          await server.kill();
          const outcomes = await Promise.allSettled(writes);
          await expectAway(store);

          await start(server.port);
          await eventually(() => store.ping());
          expect(await store.entities.get(urnOf('a'))).toEqual(documentOf('a'));
          expect(await store.records.put('kind', 'known', { x: 2 }, revision)).toEqual(expect.any(String));
          for (const [index, outcome] of outcomes.entries()) {
            const document = documents[index];
            if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(AWAY);
            else expect(await store.entities.get(document?.urn ?? '')).toEqual(document);
          }
        } finally {
          await store.close();
        }
      }),
    120_000,
  );

  it(
    'is noticed when the server hangs',
    () =>
      withServers(async (start) => {
        const server = await start();
        const store = await MongodbStore.open({ uri: server.uri });
        try {
          await insertAll(store, documentOf('a'));
          server.pause();
          await expectAway(store);
          server.resume();
          await eventually(() => store.ping());
          expect(await store.entities.get(urnOf('a'))).toEqual(documentOf('a'));
        } finally {
          await store.close();
        }
      }),
    120_000,
  );
}

describe('a server that is not there', () => {
  it('keeps the store from being opened, with a message that names it without credentials', async () => {
    const opened = MongodbStore.open({ uri: 'mongodb://ada:secret@127.0.0.1:1/catalogue' });
    const error: unknown = await opened.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^MongoDB at 127\.0\.0\.1:1 does not answer: /u),
    });
    expect(String(error)).not.toMatch(/ada|secret/u);
  });
});

const reason = await installedSecantusDb().then(() => undefined, String);
if (reason === undefined) describe('an outage of MongoDB', outages);
else describe.skip(`an outage of MongoDB: ${reason}`, () => it('is survived', () => {}));
