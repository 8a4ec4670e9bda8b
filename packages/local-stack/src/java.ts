import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPrograms } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';

const run = promisify(execFile);
const LOWEST_VERSION = 17;
const ADVICE =
  'install a Java 17 or newer (Debian and Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install openjdk@17)';

/** The first Java of JAVA_HOME and PATH that can run Kafka 4. Throws `JAVA_MISSING` or `JAVA_TOO_OLD`. */
export async function findJava(env: Record<string, string>): Promise<string> {
  const atHome = env['JAVA_HOME'] ? [join(env['JAVA_HOME'], 'bin', 'java')] : [];
  let tooOld: number | undefined;
  for (const java of [...atHome, ...(await findPrograms('java', env))]) {
    const version = await javaVersion(java);
    if (version !== undefined && version >= LOWEST_VERSION) return java;
    tooOld ??= version;
  }
  if (tooOld === undefined) throw new LocalStackError('JAVA_MISSING', `Kafka needs Java, which is missing: ${ADVICE}`);
  throw new LocalStackError('JAVA_TOO_OLD', `Kafka needs Java 17, but this machine has Java ${tooOld}: ${ADVICE}`);
}

async function javaVersion(java: string): Promise<number | undefined> {
  try {
    const { stdout, stderr } = await run(java, ['-version']);
    return parseJavaVersion(stdout + stderr);
  } catch {
    return undefined;
  }
}

/** Major version in the output of `java -version`; versions up to 8 print 1.8. */
export function parseJavaVersion(text: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(text);
  return match ? Number(match[1]) : undefined;
}
