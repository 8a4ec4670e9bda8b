// Servers of somebody else's that `npm start` and `npm run demo` are to use: asked before anything is started, so that
// one that is away is one sentence that names its variable.
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';

export interface ExternalServers {
  kafkaBrokers?: string | undefined;
  databaseUrl?: string | undefined;
}

const LIMIT_MS = 10_000;
const DATABASE_FORM = 'postgres://user:password@host:5432/database';

/** Returns when those that are set answer. Throws a sentence without secrets. */
export async function reachExternalServers({ kafkaBrokers, databaseUrl }: ExternalServers): Promise<void> {
  await Promise.all([kafkaBrokers && reachKafka(kafkaBrokers), databaseUrl && reachPostgres(databaseUrl)]);
}

async function reachKafka(brokers: string): Promise<void> {
  const list = brokers.split(',').map((broker) => broker.trim());
  const wrong = list.find((broker) => !/^[^\s:,/@]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/.test(broker));
  if (wrong !== undefined) throw new Error(`KAFKA_BROKERS must be host:port,host:port, and "${wrong}" is not`);
  const admin = new Kafka({
    brokers: list,
    connectionTimeout: LIMIT_MS,
    requestTimeout: LIMIT_MS,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  }).admin();
  try {
    await admin.connect();
    await admin.describeCluster();
  } catch {
    throw new Error(`No Kafka answers at ${brokers}, which KAFKA_BROKERS names: start it, or unset KAFKA_BROKERS`);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

async function reachPostgres(text: string): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol))
    throw new Error(`DATABASE_URL must be like ${DATABASE_FORM}`);
  const client = new Client({ connectionString: text, connectionTimeoutMillis: LIMIT_MS });
  client.on('error', () => undefined);
  const refusal = await client.connect().then(
    () => null,
    (error: unknown) => databaseSentence(url, error),
  );
  await client.end().catch(() => undefined);
  if (refusal !== null) throw new Error(refusal);
}

function databaseSentence(url: URL, error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const where = `PostgreSQL at ${url.host}`;
  if (url.password === '' && /password/i.test(String(message)))
    return `DATABASE_URL has no password, and ${where} asks for one: it must be like ${DATABASE_FORM}`;
  if (code === '28P01' || code === '28000') return `${where} refuses the user or the password of DATABASE_URL`;
  if (code === '3D000') return `${where} has no database ${url.pathname.slice(1)}, which DATABASE_URL names`;
  const why = typeof code === 'string' ? ` (${code})` : '';
  return `No ${where}, which DATABASE_URL names, takes a connection${why}: start it, or unset DATABASE_URL`;
}
