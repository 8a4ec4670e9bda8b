import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostEnvironment } from './host-environment.ts';
import { KAFKA_LOG4J2, kafkaProperties } from './kafka-properties.ts';
import { LocalStackError } from './local-stack-error.ts';
import type { SpawnOrder } from './process-keeper.messages.ts';
import { runKept } from './run-kept.ts';

const FORMAT_LIMIT_MS = 60_000;
/**
 * A machine with too much to do leaves a broker without a turn for seconds. It must not count as dead for that: a
 * client that writes at that moment is told that there is no leader, by some partitions before and by some after they
 * took its records, and writes all of them again.
 */
const SESSION_MS = 30_000;
/** After a kill, the new broker is let in when the session of the former one is over. */
const SESSION_AFTER_KILL_MS = 2_000;
/** Kafka's cluster knows brokers from its first start on. */
const CLUSTER = '__cluster_metadata-0';
/** Kafka writes it on stopping in good order, and removes it on starting. */
const CLEAN_SHUTDOWN = '.kafka_cleanshutdown';

export interface KafkaFolder {
  /** Of the data: it tells this broker from another that has got its port. */
  clusterId: string;
  /** What starts the broker on these ports. */
  order(ports: { port: number; controllerPort: number }): Promise<SpawnOrder>;
}

/**
 * Formats a broker's folder unless it is formatted, and says how to start the broker in it. `java`: the program and its
 * flags.
 */
export async function prepareKafkaFolder(folder: string, java: string[]): Promise<KafkaFolder> {
  const logDir = join(folder, 'data');
  const log4j2File = join(folder, 'log4j2.properties');
  const [command = 'java', ...flags] = java;
  const orderFor = (args: string[]): SpawnOrder => ({
    command,
    args: [...flags, `-Dlog4j2.configurationFile=${log4j2File}`, ...args],
    env: hostEnvironment(),
    logFile: join(folder, 'kafka.log'),
    cwd: folder,
  });
  await writeFile(log4j2File, KAFKA_LOG4J2);
  if (!existsSync(logDir)) await format(folder, logDir, orderFor);
  return {
    clusterId: await readClusterId(logDir),
    order: async (ports) => {
      const propertiesFile = join(folder, 'server.properties');
      const sessionMs = wasKilled(logDir) ? SESSION_AFTER_KILL_MS : SESSION_MS;
      await writeFile(propertiesFile, kafkaProperties({ ...ports, logDir, sessionMs }));
      return orderFor(['kafka.Kafka', propertiesFile]);
    },
  };
}

/** Into a folder beside the real one: formatting that broke off must not look like data. */
async function format(folder: string, logDir: string, orderFor: (args: string[]) => SpawnOrder): Promise<void> {
  const draft = join(folder, 'data.new');
  const propertiesFile = join(folder, 'format.properties');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft);
  await writeFile(
    propertiesFile,
    kafkaProperties({ port: 1, controllerPort: 2, logDir: draft, sessionMs: SESSION_MS }),
  );
  // 16 bytes in base64url: the 22 characters that Kafka wants; one that begins with a hyphen would be taken for an
  // option.
  const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
  const order = orderFor(['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', propertiesFile]);
  await runKept(order, FORMAT_LIMIT_MS, (tail) => {
    return new LocalStackError('SERVER_FAILED', `Kafka could not format ${draft}; its log ends:\n${tail}`);
  });
  await rename(draft, logDir);
}

function wasKilled(logDir: string): boolean {
  return existsSync(join(logDir, CLUSTER)) && !existsSync(join(logDir, CLEAN_SHUTDOWN));
}

async function readClusterId(logDir: string): Promise<string> {
  const text = await readFile(join(logDir, 'meta.properties'), 'utf8');
  const id = /^cluster\.id=(.+)$/m.exec(text)?.[1];
  if (!id) throw new LocalStackError('SERVER_FAILED', `${logDir} holds no Kafka data that this Kafka knows`);
  return id.trim();
}
