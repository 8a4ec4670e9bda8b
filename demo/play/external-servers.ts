// Checks the servers in KAFKA_BROKERS and DATABASE_URL before anything is started. An unusable one is reported with
// the same sentence as in the apps.
import { kafkaRefusal } from '@gondola/kafka/client/kafka-refusal';
import { ConfigError, readConfig } from '@gondola/service-kit/config/config';
import { databaseShape, kafkaShape } from '@gondola/service-kit/config/config-shapes';
import { databaseRefusal } from '@gondola/service-kit/database/database-refusal';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';

export interface ExternalServers {
  kafkaBrokers?: string | undefined;
  databaseUrl?: string | undefined;
}

const LIMIT_MS = 10_000;

/** Returns once the configured servers answer. Throws a sentence without secrets. */
export async function reachExternalServers({ kafkaBrokers, databaseUrl }: ExternalServers): Promise<void> {
  const refusal = await Promise.all([
    kafkaBrokers && reachKafka(kafkaBrokers),
    databaseUrl && reachPostgres(databaseUrl),
  ]).then(() => null, sentenceOf);
  // Omits the cause, which may name the user.
  if (refusal !== null) throw new Error(refusal);
}

async function reachKafka(text: string): Promise<void> {
  const { brokers } = readConfig({ kafka: kafkaShape }, { KAFKA_BROKERS: text }).kafka;
  const admin = new Kafka({
    brokers: [...brokers],
    connectionTimeout: LIMIT_MS,
    requestTimeout: LIMIT_MS,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  }).admin();
  try {
    await admin.connect();
    await admin.describeCluster();
  } catch (error) {
    throw kafkaRefusal(brokers, error);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

async function reachPostgres(text: string): Promise<void> {
  const { url } = readConfig({ database: databaseShape('demo') }, { DATABASE_URL: text }).database;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: LIMIT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw databaseRefusal(url, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError)
    return error.problems.map(({ where, problem }) => `${where}: ${problem}`).join('; ');
  return error instanceof Error ? error.message : String(error);
}
