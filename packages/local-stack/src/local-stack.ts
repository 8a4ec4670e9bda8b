import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type KafkaServer, startKafka } from './kafka.ts';
import { postgresDataDir, type PostgresServer, startPostgres } from './postgres.ts';
import { claimFolder, releaseFolder } from './run-record.ts';

export interface LocalStackOptions {
  /** Folder whose data are used again by the next start. Default: temporary folders that `stop` removes. */
  dir?: string;
  /** True: PostgreSQL forces commits to disk. */
  durable?: boolean;
  /** Existing servers to use instead of starting new ones; they are not stopped. */
  external?: { kafkaBrokers?: string | undefined; databaseUrl?: string | undefined };
  /** Ports to take if they are free; else those of the last start in `dir`, else any. Default: any free ports. */
  usualPorts?: { kafka: number; postgres: number } | undefined;
  /** Receives one sentence for each step. */
  onProgress?: (line: string) => void;
}

export interface LocalStack {
  readonly kafkaBrokers: string;
  readonly databaseUrl: string;
  /** The started server; undefined if an external one is used. */
  readonly kafka: KafkaServer | undefined;
  readonly postgres: PostgresServer | undefined;
  stop(): Promise<void>;
}

/** Default ports of Kafka and PostgreSQL, which most clients are configured with. */
export const USUAL_PORTS = { kafka: 9092, postgres: 5432 };

type Stoppable = { stop(): Promise<void> } | undefined;

const NONE = Promise.resolve(undefined);

/** Starts Kafka and PostgreSQL in parallel. If one fails, the other is stopped and the first failure is thrown. */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const { dir, durable = dir !== undefined, external = {}, usualPorts, onProgress = () => {} } = options;
  const dataDir = (name: string) => (dir === undefined ? {} : { dataDir: join(dir, name) });
  const [kafka, postgres] = await bothOrNone(
    external.kafkaBrokers ? NONE : startKafka({ ...dataDir('kafka'), usualPort: usualPorts?.kafka, log: onProgress }),
    external.databaseUrl
      ? NONE
      : startPostgres({ ...dataDir('postgres'), usualPort: usualPorts?.postgres, durable, log: onProgress }),
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
 * Removes the data of a stack in `dir`, including PostgreSQL's data elsewhere. Servers that a dead owner left
 * running there are ended; if the owner is alive, throws `FOLDER_IN_USE` and removes nothing.
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
