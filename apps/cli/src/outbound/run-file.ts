import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunFile } from '../domain/addresses.ts';

/** `.gondola/run.json` of the nearest folder from `folder` upwards; null where there is none. One that is no JSON says nothing. */
export async function findRunFile(folder: string): Promise<RunFile | null> {
  const path = join(folder, '.gondola', 'run.json');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text !== null) return { path, content: contentOf(text) };
  const parent = dirname(folder);
  return parent === folder ? null : await findRunFile(parent);
}

function contentOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
