import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * Variables of the machine that a child inherits. It inherits no others, so that a developer's `DATABASE_URL` does
 * not reach an app under test.
 */
const EVERY_PROGRAM = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR'];
const JAVA = ['JAVA_HOME', 'JAVA_TOOL_OPTIONS', 'M2_HOME', 'MAVEN_ARGS', 'MAVEN_OPTS'];

/**
 * The machine's variables in this process's environment (locations of programs and temporary folders), for
 * children.
 */
export function hostEnvironment(): Record<string, string> {
  const entries = [...EVERY_PROGRAM, ...JAVA].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** All executable files of that name on the PATH of `env`, in its order. */
export async function findPrograms(name: string, env: Record<string, string>): Promise<string[]> {
  const paths = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = paths.map((path) => join(path, name));
  const found = await Promise.all(candidates.map((file) => isRunnable(file)));
  return candidates.filter((_, index) => found[index]);
}

async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
