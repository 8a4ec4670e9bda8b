import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** All files of that name on the PATH of `env` that may be run, in its order. */
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
