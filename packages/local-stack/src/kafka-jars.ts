import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.ts';
import { findPrograms } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';
import { runSupervised } from './process-supervisor.ts';

const PACKAGE_FOLDER = join(import.meta.dirname, '..');
const POM = join(PACKAGE_FOLDER, 'pom.xml');
const MANIFEST = 'manifest.json';
const DOWNLOAD_LIMIT_MS = 300_000;
/** Maven runs only briefly: optimised compilation would take half of the CPU time and gain nothing. */
const MAVEN_OPTS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Same version as in `pom.xml`. */
const KAFKA_VERSION = '4.1.1';

/**
 * Inside the clone and ignored by git: it is deleted with the clone, and a second clone copies the jars from
 * Maven's own cache in a second.
 */
export function kafkaJarsFolder(version = KAFKA_VERSION): string {
  return join(PACKAGE_FOLDER, '..', '..', '.gondola', `kafka-${version}`);
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

/**
 * Ensures that all of Kafka's jars are in the folder. They are downloaded into a folder beside it, which is renamed
 * when complete, so neither an interrupted download nor parallel ones leave an incomplete Kafka. Later damage is
 * detected by a manifest of names and sizes, and the jars are downloaded again. Throws `MAVEN_MISSING` or
 * `KAFKA_DOWNLOAD_FAILED`.
 */
export async function ensureKafkaJars(options: KafkaJarsOptions): Promise<void> {
  const { folder, env, log, version = KAFKA_VERSION } = options;
  if (await isComplete(folder, version)) return;
  await mkdir(dirname(folder), { recursive: true });
  await withFileLock(`${folder}.lock`, DOWNLOAD_LIMIT_MS, async () => {
    if (await isComplete(folder, version)) return;
    log(`Fetching Kafka ${version} (43 MB, once)`);
    await removeDrafts(folder);
    const draft = `${folder}.${randomBytes(3).toString('hex')}.draft`;
    await download(draft, env, version);
    await writeFile(join(draft, MANIFEST), await manifestOf(draft, version));
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  });
}

async function download(draft: string, env: Record<string, string>, version: string): Promise<void> {
  const [maven] = await findPrograms('mvn', env);
  if (!maven) {
    const advice = 'install it (Debian and Ubuntu: apt install maven; macOS: brew install maven)';
    throw new LocalStackError('MAVEN_MISSING', `Maven, which fetches Kafka, is missing: ${advice}`);
  }
  await mkdir(draft);
  // Maven would create its build folder beside the pom.
  await writeFile(join(draft, 'pom.xml'), await pomOf(version));
  const args = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${draft}`];
  await runSupervised(
    { command: maven, args, env: { MAVEN_OPTS, ...env }, cwd: draft, logFile: join(draft, 'maven.log') },
    DOWNLOAD_LIMIT_MS,
    (tail) => {
      const reason = tail.split('\n').find((line) => line.includes('ERROR')) ?? tail;
      return new LocalStackError('KAFKA_DOWNLOAD_FAILED', `Maven could not fetch Kafka ${version}: ${reason}`);
    },
  );
}

/** The pom of a version of Kafka. */
async function pomOf(version: string): Promise<string> {
  return (await readFile(POM, 'utf8')).replaceAll(KAFKA_VERSION, version);
}

/** Removes the remains of interrupted downloads; called under the lock. */
async function removeDrafts(folder: string): Promise<void> {
  const parent = dirname(folder);
  const drafts = (await readdir(parent)).map((name) => join(parent, name)).filter((path) => isDraft(path, folder));
  await Promise.all(drafts.map((path) => rm(path, { recursive: true, force: true })));
}

function isDraft(path: string, folder: string): boolean {
  return path.startsWith(`${folder}.`) && path.endsWith('.draft');
}

async function isComplete(folder: string, version: string): Promise<boolean> {
  try {
    return (await readFile(join(folder, MANIFEST), 'utf8')) === (await manifestOf(folder, version));
  } catch {
    return false;
  }
}

/** Content of a folder as text for comparison: the pom of the download, and the sizes of the jars. */
async function manifestOf(folder: string, version: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jar')).toSorted();
  const sizes = names.map(async (name) => [name, (await stat(join(folder, name))).size] as const);
  return JSON.stringify({ pom: await pomOf(version), jars: Object.fromEntries(await Promise.all(sizes)) });
}
