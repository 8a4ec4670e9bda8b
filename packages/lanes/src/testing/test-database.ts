import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';

import { messagingEntities, messagingMigrations } from '../messaging-tables.ts';

/** Longer than a busy machine stalls: a test that asks a server directly does not retry. */
export const TEST_QUERY_TIMEOUT_MS = 120_000;

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  readonly schema: string;
  /** Connections of another replica to the same schema. */
  replica(): Promise<Database>;
  close(): Promise<void>;
}

/** Connections to a schema with this package's tables. */
export async function connectTestDatabase(url: string, schema: string): Promise<Database> {
  const database = new Database({
    url,
    schema,
    entities: messagingEntities,
    migrations: messagingMigrations,
    queryTimeoutMs: TEST_QUERY_TIMEOUT_MS,
  });
  await database.connect();
  return database;
}

/** A schema for one suite on the test stack, with this package's tables. */
export async function openTestDatabase(label: string): Promise<TestDatabase> {
  const testSchema = await createTestSchema(label);
  const { schema } = testSchema;
  const url = testStack().databaseUrl;
  const open: Database[] = [];
  const replica = async (): Promise<Database> => {
    const database = await connectTestDatabase(url, schema);
    open.push(database);
    return database;
  };
  const close = async (): Promise<void> => {
    await Promise.all(open.map((database) => database.close()));
    await testSchema.drop();
  };
  return { database: await replica(), url, schema, replica, close };
}
