import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostEnvironment } from './host-environment.ts';
import { KAFKA_LOG4J2, type KafkaExtras, kafkaProperties, NODE_ID, propertiesText } from './kafka-properties.ts';
import { LocalStackError } from './local-stack-error.ts';
import { runSupervised, type SpawnOrder } from './process-supervisor.ts';

const FORMAT_LIMIT_MS = 60_000;
/**
 * On a busy machine a broker may get no CPU time for seconds. It must not count as dead because of that: a client
 * that writes at that moment gets the error that there is no leader, from some partitions before and from some
 * after they stored its records, and writes all of them again.
 */
const SESSION_MS = 30_000;
/** After a kill, the new broker is admitted when the session of the former one has expired. */
const SESSION_AFTER_KILL_MS = 2_000;
/** Features with which a new cluster begins: the same for every cluster of one Kafka version. */
const BOOTSTRAP = 'bootstrap.checkpoint';
/** Kafka's cluster metadata, which exists from the first start. */
const CLUSTER = '__cluster_metadata-0';
/** Written by Kafka on a proper stop and removed on start. */
const CLEAN_SHUTDOWN = '.kafka_cleanshutdown';

export interface KafkaFolder {
  /** Id of the data, which distinguishes this broker from another one on its port. */
  clusterId: string;
  /** Command that starts the broker on these ports. */
  order(ports: { port: number; controllerPort: number }): Promise<SpawnOrder>;
}

export interface KafkaFolderOptions {
  folder: string;
  /** Java and its flags. */
  java: string[];
  /**
   * Folder of this Kafka version alone, which stores the result of Kafka's own formatting for all further folders. Null
   * for a version that puts more into a folder than the one of `pom.xml`: each of its folders is formatted by Kafka.
   */
  store: string | null;
  extras?: KafkaExtras | undefined;
}

/** Formats a broker's folder unless it is formatted, and returns how to start the broker in it. */
export async function prepareKafkaFolder({ folder, java, store, extras }: KafkaFolderOptions): Promise<KafkaFolder> {
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
  if (!existsSync(logDir)) await format({ folder, logDir, store, orderFor });
  return {
    clusterId: await readClusterId(logDir),
    order: async (ports) => {
      const propertiesFile = join(folder, 'server.properties');
      const sessionMs = wasKilled(logDir) ? SESSION_AFTER_KILL_MS : SESSION_MS;
      await writeFile(propertiesFile, kafkaProperties({ ...ports, logDir, sessionMs, extras }));
      return orderFor(['kafka.Kafka', propertiesFile]);
    },
  };
}

interface Formatting {
  folder: string;
  logDir: string;
  store: string | null;
  orderFor: (args: string[]) => SpawnOrder;
}

/** Formats a folder beside the real one, so that an interrupted formatting does not look like data. */
async function format({ folder, logDir, store, orderFor }: Formatting): Promise<void> {
  const draft = join(folder, 'data.new');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft);
  if (store === null) {
    await formatByKafka(draft, folder, orderFor);
    await rename(draft, logDir);
    return;
  }
  const stored = join(store, BOOTSTRAP);
  if (!(await hasContent(stored))) await storeBootstrap(stored, folder, orderFor);
  await copyFile(stored, join(draft, BOOTSTRAP));
  const meta = { version: 1, 'node.id': NODE_ID, 'cluster.id': randomId(), 'directory.id': randomId() };
  await writeFile(join(draft, 'meta.properties'), propertiesText(meta));
  await rename(draft, logDir);
}

/**
 * Kafka's own formatting takes a Java start, and this file is its only result that cannot be written here. Parallel
 * calls store the same content.
 */
async function storeBootstrap(stored: string, folder: string, orderFor: (args: string[]) => SpawnOrder): Promise<void> {
  const sample = join(folder, 'sample');
  await rm(sample, { recursive: true, force: true });
  await mkdir(sample);
  await formatByKafka(sample, folder, orderFor);
  const draft = `${stored}.${randomId()}`;
  await copyFile(join(sample, BOOTSTRAP), draft);
  await rename(draft, stored);
  await rm(sample, { recursive: true });
}

async function formatByKafka(logDir: string, folder: string, orderFor: Formatting['orderFor']): Promise<void> {
  const propertiesFile = join(folder, 'format.properties');
  await writeFile(propertiesFile, kafkaProperties({ port: 1, controllerPort: 2, logDir, sessionMs: SESSION_MS }));
  const order = orderFor(['kafka.tools.StorageTool', 'format', '-t', randomId(), '-c', propertiesFile]);
  await runSupervised(order, FORMAT_LIMIT_MS, (tail) => {
    return new LocalStackError('SERVER_FAILED', `Kafka could not format ${logDir}; its log ends:\n${tail}`);
  });
}

async function hasContent(file: string): Promise<boolean> {
  const content = await readFile(file).catch(() => Buffer.alloc(0));
  return content.length > 0;
}

/**
 * 16 random bytes in base64url: the 22 characters that Kafka requires. An id that begins with a hyphen would be
 * read as an option.
 */
function randomId(): string {
  return randomBytes(16).toString('base64url').replace(/^-/, 'A');
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
