import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureMavenJars, jarsFolder } from './maven-jars.ts';

const POM = join(import.meta.dirname, '..', 'pom.xml');

/** Same version as in `pom.xml`. */
const KAFKA_VERSION = '4.1.1';

export function kafkaJarsFolder(version = KAFKA_VERSION): string {
  return jarsFolder(`kafka-${version}`);
}

export const KAFKA_JARS_FOLDER = kafkaJarsFolder();

export interface KafkaJarsOptions {
  folder: string;
  /** Contains the PATH on which Maven is searched. */
  env: Record<string, string>;
  log: (line: string) => void;
  /** Version of Kafka. Default: that of `pom.xml`. */
  version?: string | undefined;
}

/** Ensures that all of Kafka's jars are in the folder. Throws `MAVEN_MISSING` or `DOWNLOAD_FAILED`. */
export async function ensureKafkaJars({ version = KAFKA_VERSION, ...options }: KafkaJarsOptions): Promise<void> {
  const pom = (await readFile(POM, 'utf8')).replaceAll(KAFKA_VERSION, version);
  await ensureMavenJars({ program: 'Kafka', version, megabytes: 43, pom, ...options });
}
