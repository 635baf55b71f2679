import { describe, expect, it } from '@jest/globals';
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { MongodbEntities } from '../../../../api-server/store/mongodb/entities.ts';
import { MongodbFences } from '../../../../api-server/store/mongodb/fences.ts';
import { MongodbRecords } from '../../../../api-server/store/mongodb/records.ts';
import { MongodbStore } from '../../../../api-server/store/mongodb/store.ts';
import { assignmentOf, documentOf, insertAll, markOf, propertyOf, urnOf } from '../../../contract/store/fixture.ts';
import { onNewDatabase } from '../../../harness/mongodb-database.ts';
import { mongodbPart } from '../../../harness/mongodb-server.ts';

interface Lookup {
  readonly what: string;
  readonly index: string;
  run(entities: MongodbEntities, records: MongodbRecords): Promise<unknown>;
}

const SIMPLE_LOOKUPS: readonly Lookup[] = [
  { what: 'a document', index: '_id_', run: (entities) => entities.get(urnOf('a')) },
  { what: 'documents', index: '_id_', run: (entities) => entities.getMany([urnOf('a'), urnOf('b')], 1_000_000) },
  {
    what: 'a listing of one type',
    index: 'by_type',
    run: (entities) => entities.list({ entityType: 'dataset', after: urnOf('a'), limit: 5 }),
  },
  { what: 'the outbox', index: 'outbox', run: (entities) => entities.dirty(5) },
  { what: 'the size of the outbox', index: 'outbox', run: (entities) => entities.countDirty() },
  {
    what: 'holders',
    index: 'holders',
    run: (entities) => entities.holders({ propertyUrn: propertyOf('p'), after: urnOf('a'), limit: 5 }),
  },
  { what: 'the number of holders', index: 'holders', run: (entities) => entities.countHolders(propertyOf('p')) },
  {
    what: 'owner marks of an entity',
    index: '_id_',
    run: (entities) => entities.owners({ urn: urnOf('a'), source: 'git', limit: 5 }),
  },
  { what: 'a record', index: '_id_', run: (_, records) => records.get('kind', 'id') },
];

/** SecantusDB looks at every document for these. */
const EXACTING_LOOKUPS: readonly Lookup[] = [
  { what: 'a listing', index: '_id_', run: (entities) => entities.list({ limit: 5 }) },
  { what: 'a count', index: '_id_', run: (entities) => entities.count(urnOf('a')) },
  { what: 'records of a kind', index: '_id_', run: (_, records) => records.list('kind', undefined, 5) },
  {
    what: 'holders of an epoch',
    index: 'holders',
    run: (entities) => entities.holders({ propertyUrn: propertyOf('p'), epoch: 'epoch1', limit: 5 }),
  },
  {
    what: 'owner marks of a source',
    index: 'owners_of_source',
    run: (entities) => entities.owners({ source: 'git', limit: 5 }),
  },
  {
    what: 'owner marks of a resource',
    index: 'owners_of_resource',
    run: (entities) =>
      entities.owners({ source: 'git', kind: 'DatasetProperties', namespace: 'shop', name: 'one7', limit: 5 }),
  },
  { what: 'purging', index: 'tombstones', run: (entities) => entities.purge(5, 5) },
];

function indexTests(uri: string, isSecantus: boolean): void {
  const uses = ({ index, run }: Lookup) =>
    onNewDatabase(uri, async (client, name) => {
      const store = await MongodbStore.open({ uri, database: name });
      const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
      const documents = names.map((each, place) =>
        documentOf(each, {
          entityType: place % 3 === 0 ? 'dataset' : 'chart',
          assignments: [assignmentOf(place % 2 === 0 ? 'p' : 'q')],
          owners: { [propertyOf('p')]: markOf(`one${place}`) },
        }),
      );
      await insertAll(store, ...documents);
      await store.entities.clean(documents.slice(5));
      await store.close();

      const commands: Document[] = [];
      client.on('commandStarted', ({ command, commandName }: CommandStartedEvent) => {
        if (commandName === 'find' || commandName === 'aggregate') commands.push(command);
      });
      const database = client.db(name);
      const fences = new MongodbFences(database);
      await run(new MongodbEntities(database, fences), new MongodbRecords(database, fences));
      expect(commands).toHaveLength(1);
      const explain = withoutSession(commands[0]);
      expect(indexOf(await database.command({ explain, verbosity: 'queryPlanner' }))).toBe(index);
    });

  for (const lookup of SIMPLE_LOOKUPS) it(`find ${lookup.what}`, uses(lookup));
  const exacting = isSecantus ? it.skip : it;
  const why = isSecantus ? ' (this server looks at every document)' : '';
  for (const lookup of EXACTING_LOOKUPS) exacting(`find ${lookup.what}${why}`, uses(lookup));
}

/** What the driver adds to a command, and adds again. */
function withoutSession({ lsid, $db, $clusterTime, txnNumber, ...command }: Document = {}): Document {
  return command;
}

/** The index that a plan scans; a look at every document is `none`. A server may have a plan of its own for one `_id`. */
function indexOf(plan: Document): string {
  const text = JSON.stringify(plan);
  return text.includes('"IDHACK"') ? '_id_' : (/"indexName":"([^"]+)"/u.exec(text)?.[1] ?? 'none');
}

async function isSecantusDb(uri: string): Promise<boolean> {
  const client = new MongoClient(uri);
  const build = await client.db('admin').command({ buildInfo: 1 });
  await client.close();
  return 'secantusVersion' in build;
}

const part = await mongodbPart();

if ('missing' in part) describe.skip(`indexes in MongoDB: ${part.missing}`, () => it('are used', () => {}));
else {
  const isSecantus = await isSecantusDb(part.address);
  describe('indexes in MongoDB', () => indexTests(part.address, isSecantus));
}
