import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type KafkaServer, startKafka } from './kafka.ts';
import { postgresDataDir, type PostgresServer, startPostgres } from './postgres.ts';
import { claimFolder, releaseFolder } from './run-record.ts';

export interface LocalStackOptions {
  /** Where the data stay, for the next start. Without it, temporary folders that `stop` removes. */
  dir?: string;
  /** Whether PostgreSQL forces commits to disk. */
  durable?: boolean;
  /** Servers of somebody else's to use instead of starting one; they are not stopped either. */
  external?: { kafkaBrokers?: string | undefined; databaseUrl?: string | undefined };
  /** Hears one sentence for each step. */
  onProgress?: (line: string) => void;
}

export interface LocalStack {
  readonly kafkaBrokers: string;
  readonly databaseUrl: string;
  /** The server that was started; undefined where an external one is used. */
  readonly kafka: KafkaServer | undefined;
  readonly postgres: PostgresServer | undefined;
  stop(): Promise<void>;
}

type Stoppable = { stop(): Promise<void> } | undefined;

const NONE = Promise.resolve(undefined);

/** Starts Kafka and PostgreSQL side by side. When one fails, the other is stopped and the first failure thrown. */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const { dir, durable = dir !== undefined, external = {}, onProgress = () => {} } = options;
  const dataDir = (name: string) => (dir === undefined ? {} : { dataDir: join(dir, name) });
  const [kafka, postgres] = await bothOrNone(
    external.kafkaBrokers ? NONE : startKafka({ ...dataDir('kafka'), log: onProgress }),
    external.databaseUrl ? NONE : startPostgres({ ...dataDir('postgres'), durable, log: onProgress }),
  );
  const kafkaBrokers = kafka?.brokers ?? external.kafkaBrokers ?? '';
  const databaseUrl = postgres?.url ?? external.databaseUrl ?? '';
  onProgress(`Kafka ${kafka ? 'listens' : 'is used'} on ${kafkaBrokers}`);
  onProgress(`PostgreSQL ${postgres ? 'listens' : 'is used'} on ${new URL(databaseUrl).host}`);
  return {
    kafkaBrokers,
    databaseUrl,
    kafka,
    postgres,
    stop: async () => {
      await Promise.all([kafka?.stop(), postgres?.stop()]);
    },
  };
}

/**
 * Removes the data that a stack left in `dir`, wherever PostgreSQL's are. What a dead owner left running there is
 * ended; a living one is an error (`FOLDER_IN_USE`), and nothing is removed.
 */
export async function eraseLocalStack(dir: string): Promise<void> {
  const folders = [resolve(dir, 'kafka'), postgresDataDir(join(dir, 'postgres'))];
  const claimed: string[] = [];
  try {
    for (const folder of folders) {
      await claimFolder(folder);
      claimed.push(folder);
    }
  } catch (error) {
    await Promise.all(claimed.map(releaseFolder));
    throw error;
  }
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
}

async function bothOrNone<A extends Stoppable, B extends Stoppable>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  try {
    return await Promise.all([first, second]);
  } catch (failure) {
    const outcomes = await Promise.allSettled([first, second]);
    const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    await Promise.all(started.map(async (server) => server?.stop()));
    throw failure;
  }
}
