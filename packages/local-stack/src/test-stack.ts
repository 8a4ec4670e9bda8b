import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { LocalStackError } from './local-stack-error.ts';
import { waitFor } from './wait-for.ts';

/** Addresses of the servers that `npm test` started for all tests. */
export interface TestStack {
  kafkaBrokers: string;
  databaseUrl: string;
}

/** Variable that contains a `TestStack` as JSON. */
export const TEST_STACK_VARIABLE = 'GONDOLA_TEST_STACK';

/** kafkajs gives a broker five seconds, which a busy one may take. */
const DELETION_LIMIT_MS = 60_000;

const ADVICE =
  'run the tests from the repository root (npm test, or npm test -- --filter=@gondola/lanes), ' +
  'or keep a stack up with npm run stack -w infra and export the line that it prints';

/** The running test stack. Throws `NO_TEST_STACK`, which names the command that starts one. */
export function testStack(): TestStack {
  const text = process.env[TEST_STACK_VARIABLE];
  if (!text) throw new LocalStackError('NO_TEST_STACK', `This test needs a real Kafka and PostgreSQL: ${ADVICE}`);
  try {
    const { kafkaBrokers, databaseUrl } = JSON.parse(text) as Partial<TestStack>;
    if (kafkaBrokers && databaseUrl) return { kafkaBrokers, databaseUrl };
  } catch {
    // The error below covers this case.
  }
  const form = '{"kafkaBrokers":"127.0.0.1:…","databaseUrl":"postgres://…"}';
  throw new LocalStackError('NO_TEST_STACK', `${TEST_STACK_VARIABLE} must look like ${form}: ${ADVICE}`);
}

/** A unique prefix for topics, groups or schemas: `orders-k3f9a1c2-`. */
export function uniquePrefix(label: string): string {
  return `${label}-${randomBytes(4).toString('hex')}-`;
}

export interface TestSchema {
  /** An identifier that requires no quoting. */
  schema: string;
  /**
   * URL of the test stack's database, with `schema` first on the search path of every connection (node-pg; TypeORM
   * has its own `schema` setting).
   */
  url: string;
  drop(): Promise<void>;
}

/** Creates an empty schema for one suite in the test stack's database. */
export async function createTestSchema(label: string): Promise<TestSchema> {
  const { databaseUrl } = testStack();
  const schema = identifier(label);
  await execute(databaseUrl, `CREATE SCHEMA ${schema}`);
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return { schema, url: url.href, drop: () => execute(databaseUrl, `DROP SCHEMA ${schema} CASCADE`) };
}

/** Runs `use` with the URL of an empty database, which is dropped afterwards even if connections are open. */
export async function withTestDatabase<T>(label: string, use: (databaseUrl: string) => Promise<T>): Promise<T> {
  const { databaseUrl } = testStack();
  const name = identifier(label);
  await execute(databaseUrl, `CREATE DATABASE ${name}`);
  try {
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    return await use(url.href);
  } finally {
    await execute(databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** Deletes the topics whose names begin with `prefix`, which must not be empty. */
export async function deleteTopics(brokers: string, prefix: string): Promise<void> {
  if (!prefix) throw new TypeError('deleteTopics without a prefix would delete every topic');
  // Imported only here: it is large, and most suites with a schema do not use Kafka.
  const { Kafka, logLevel } = await import('kafkajs');
  const patience = { requestTimeout: 2 * DELETION_LIMIT_MS, logLevel: logLevel.NOTHING };
  const admin = new Kafka({ brokers: brokers.split(','), ...patience }).admin();
  await admin.connect();
  try {
    // kafkajs' `listTopics` fails by a TypeError when no broker answers, as just after a freeze.
    const all = await waitFor(() => admin.listTopics(), { describe: 'the names of the topics' });
    const topics = all.filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics, timeout: DELETION_LIMIT_MS });
  } finally {
    await admin.disconnect();
  }
}

function identifier(label: string): string {
  return `test_${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_${randomBytes(4).toString('hex')}`;
}

async function execute(databaseUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
