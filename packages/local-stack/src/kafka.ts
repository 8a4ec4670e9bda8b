import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { freePort } from './free-port.ts';
import { hostEnvironment } from './host-environment.ts';
import { findJava } from './java.ts';
import { prepareKafkaFolder } from './kafka-folder.ts';
import type { KafkaExtras } from './kafka-properties.ts';
import { ensureKafkaJars, kafkaJarsFolder } from './kafka-jars.ts';
import { type ManagedServer, startServer } from './managed-server.ts';
import { inServerFolder } from './server-folder.ts';

export interface KafkaOptions {
  /** Folder for its data. Default: a temporary folder that `stop` removes. */
  dataDir?: string;
  /** Port to take if it is free; else that of the folder's last start, else any. Default: any. */
  usualPort?: number | undefined;
  /** Receives one sentence for each step that takes time. */
  log?: (line: string) => void;
  /** Further listeners and settings of the broker. Default: none. */
  extras?: KafkaExtras;
  /** Version of Kafka. Default: that of `pom.xml`. */
  version?: string;
}

export interface KafkaServer extends ManagedServer {
  /** Form of kafkajs and `KAFKA_BROKERS`: `127.0.0.1:23456`. */
  readonly brokers: string;
}

const JVM_FLAGS = ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const PROBE_LIMIT_MS = 3_000;

/**
 * Starts a real Kafka broker on 127.0.0.1, for this process alone, and returns when it is ready. Throws a
 * `LocalStackError`: no Java, no Maven, folder in use, failed start.
 */
export async function startKafka({
  dataDir,
  usualPort,
  log = () => {},
  extras,
  version,
}: KafkaOptions = {}): Promise<KafkaServer> {
  const env = hostEnvironment();
  const java = await findJava(env);
  const jars = kafkaJarsFolder(version);
  await ensureKafkaJars({ folder: jars, env, log, version });
  return await inServerFolder(
    'kafka',
    dataDir === undefined ? { temporaryRoot: tmpdir() } : { path: resolve(dataDir) },
    async (folder) => {
      const broker = await prepareKafkaFolder({
        folder: folder.path,
        java: [java, ...JVM_FLAGS, '-cp', join(jars, '*')],
        store: version === undefined ? jars : null,
        extras,
      });
      const server = await startServer({
        name: 'Kafka',
        folder,
        usualPort,
        stopSignal: 'SIGTERM',
        order: async (wanted) => broker.order({ port: wanted, controllerPort: await freePort() }),
        isReady: (wanted) => isServing(`127.0.0.1:${wanted}`, broker.clusterId),
      });
      return Object.assign(server, { brokers: `127.0.0.1:${server.port}` });
    },
  );
}

/** True if the broker has joined its cluster and the cluster is ours: another broker may have got the port. */
async function isServing(broker: string, clusterId: string): Promise<boolean> {
  const admin = new Kafka({
    brokers: [broker],
    connectionTimeout: PROBE_LIMIT_MS,
    requestTimeout: PROBE_LIMIT_MS,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  }).admin();
  try {
    await admin.connect();
    const cluster = await admin.describeCluster();
    return cluster.clusterId === clusterId && cluster.brokers.length === 1;
  } finally {
    await admin.disconnect();
  }
}
