import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFetched, FETCHED } from './fetched-folder.ts';
import { findPrograms } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';
import { runSupervised } from './process-supervisor.ts';

const MANIFEST = 'manifest.json';
const DOWNLOAD_LIMIT_MS = 300_000;
/** Maven runs only briefly: optimised compilation would take half of the CPU time and gain nothing. */
const MAVEN_OPTS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Folder for the jars of a program. */
export function jarsFolder(name: string): string {
  return join(FETCHED, name);
}

export interface MavenJars {
  /** Name of the program in messages, without its version. */
  program: string;
  version: string;
  /** Size of the download, for people. */
  megabytes: number;
  /** Maven's project: the jars are those that its dependencies need at run time. */
  pom: string;
  folder: string;
  /** Contains the PATH on which Maven is searched. */
  env: Record<string, string>;
  log: (line: string) => void;
}

/**
 * Ensures that all jars of a program are in the folder. Damage is detected by a manifest of names and sizes, and the
 * jars are downloaded again. Throws `MAVEN_MISSING` or `DOWNLOAD_FAILED`.
 */
export async function ensureMavenJars(jars: MavenJars): Promise<void> {
  const { program, version, megabytes, folder, pom, log } = jars;
  await ensureFetched({
    folder,
    limitMs: DOWNLOAD_LIMIT_MS,
    isComplete: () => isComplete(folder, pom),
    fetch: async (draft) => {
      log(`Fetching ${program} ${version} (${megabytes} MB, once)`);
      await download(draft, jars);
      await writeFile(join(draft, MANIFEST), await manifestOf(draft, pom));
    },
  });
}

async function download(draft: string, { program, version, pom, env }: MavenJars): Promise<void> {
  const [maven] = await findPrograms('mvn', env);
  if (!maven) {
    const advice = 'install it (Debian and Ubuntu: apt install maven; macOS: brew install maven)';
    throw new LocalStackError('MAVEN_MISSING', `Maven, which fetches ${program}, is missing: ${advice}`);
  }
  // Maven would create its build folder beside the pom.
  await writeFile(join(draft, 'pom.xml'), pom);
  const args = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${draft}`];
  await runSupervised(
    { command: maven, args, env: { MAVEN_OPTS, ...env }, cwd: draft, logFile: join(draft, 'maven.log') },
    DOWNLOAD_LIMIT_MS,
    (tail) => {
      const reason = tail.split('\n').find((line) => line.includes('ERROR')) ?? tail;
      return new LocalStackError('DOWNLOAD_FAILED', `Maven could not fetch ${program} ${version}: ${reason}`);
    },
  );
}

async function isComplete(folder: string, pom: string): Promise<boolean> {
  try {
    return (await readFile(join(folder, MANIFEST), 'utf8')) === (await manifestOf(folder, pom));
  } catch {
    return false;
  }
}

/** Content of a folder as text for comparison: the pom of the download, and the sizes of the jars. */
async function manifestOf(folder: string, pom: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jar')).toSorted();
  const sizes = names.map(async (name) => [name, (await stat(join(folder, name))).size] as const);
  return JSON.stringify({ pom, jars: Object.fromEntries(await Promise.all(sizes)) });
}
