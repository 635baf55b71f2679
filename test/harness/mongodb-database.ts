import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** A name that no other test takes. */
export function newDatabase(): string {
  return `proplane-test-${randomUUID()}`;
}

export async function dropDatabase(uri: string, database: string): Promise<void> {
  const client = new MongoClient(uri);
  await client.db(database).dropDatabase();
  await client.close();
}

/** Runs a test with a client and the name of a database that is not there yet, and is gone afterwards. */
export function onNewDatabase(uri: string, test: (client: MongoClient, database: string) => Promise<void>) {
  return async (): Promise<void> => {
    const client = new MongoClient(uri, { monitorCommands: true });
    const database = newDatabase();
    try {
      await test(client, database);
    } finally {
      await client.db(database).dropDatabase();
      await client.close();
    }
  };
}
