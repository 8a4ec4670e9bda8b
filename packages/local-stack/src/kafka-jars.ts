import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostEnvironment } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';

const run = promisify(execFile);
const PACKAGE_FOLDER = join(import.meta.dirname, '..');
const MANIFEST = 'manifest.json';
const DOWNLOAD_LIMIT_MS = 300_000;

/** The version of `pom.xml`. */
export const KAFKA_VERSION = '4.1.1';

/** In the clone, git-ignored: deleting the clone leaves nothing behind, and a second clone copies from Maven's own cache in the home folder. */
export const KAFKA_JARS_FOLDER = join(PACKAGE_FOLDER, '..', '..', '.gondola', `kafka-${KAFKA_VERSION}`);

/**
 * Makes sure that Kafka's jars are in `folder`, and returns it. They are fetched into a folder beside it that is renamed when complete, so
 * a download that broke off, or several at the same time, never leave half a Kafka; what is damaged later is fetched anew, which a manifest
 * of names and sizes shows. Throws `MAVEN_MISSING` or `KAFKA_DOWNLOAD_FAILED`.
 */
export async function ensureKafkaJars(
  log: (line: string) => void = () => {},
  folder = KAFKA_JARS_FOLDER,
): Promise<string> {
  if (await isComplete(folder)) return folder;
  log(`Fetching Kafka ${KAFKA_VERSION} (43 MB, once)`);
  const draft = `${folder}.${process.pid}-${randomBytes(3).toString('hex')}`;
  try {
    await mkdir(draft, { recursive: true });
    await download(draft);
    await writeFile(join(draft, MANIFEST), JSON.stringify(await sizes(draft)));
    await install(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

async function download(draft: string): Promise<void> {
  // Maven keeps its build folder beside the pom: a copy keeps the package's folder clean.
  await copyFile(join(PACKAGE_FOLDER, 'pom.xml'), join(draft, 'pom.xml'));
  const args = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${draft}`];
  try {
    await run('mvn', args, { cwd: draft, env: hostEnvironment(), timeout: DOWNLOAD_LIMIT_MS });
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    if (code === 'ENOENT') {
      const advice = 'install it (Debian and Ubuntu: apt install maven; macOS: brew install maven)';
      throw new LocalStackError('MAVEN_MISSING', `Maven, which fetches Kafka, is missing: ${advice}`, { cause: error });
    }
    const reason = stdout?.split('\n').find((line) => line.includes('ERROR')) ?? String(error);
    throw new LocalStackError('KAFKA_DOWNLOAD_FAILED', `Maven could not fetch Kafka ${KAFKA_VERSION}: ${reason}`, {
      cause: error,
    });
  }
}

/** Another process may have installed the same at the same time: then its copy serves. */
async function install(draft: string, folder: string): Promise<void> {
  const broken = `${draft}-broken`;
  try {
    if (await isComplete(folder)) return;
    await rename(folder, broken).catch(() => {});
    await rename(draft, folder);
  } catch (error) {
    if (!(await isComplete(folder))) throw error;
  } finally {
    await rm(broken, { recursive: true, force: true });
  }
}

async function isComplete(folder: string): Promise<boolean> {
  try {
    const wanted = await readFile(join(folder, MANIFEST), 'utf8');
    return wanted === JSON.stringify(await sizes(folder));
  } catch {
    return false;
  }
}

async function sizes(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jar')).toSorted();
  const entries = names.map(async (name) => [name, (await stat(join(folder, name))).size] as const);
  return Object.fromEntries(await Promise.all(entries));
}
