import { open, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { RunFile } from './addresses.ts';
import { parsed } from './operations-api.ts';

/** Writable for the group or for everybody. */
const OTHERS_MAY_WRITE = 0o022;

/**
 * Reads `.gondola/run.json` of the nearest folder from `folder` upwards; null without one. A file that another user
 * owns or may write is skipped, because the token is sent to its addresses. Invalid JSON is read as empty.
 */
export async function findRunFile(folder: string): Promise<RunFile | null> {
  const path = join(folder, '.gondola', 'run.json');
  const text = await ownText(path);
  if (text !== null) {
    const content = parsed(text);
    return { path, content, token: await tokenNamedIn(content) };
  }
  const parent = dirname(folder);
  return parent === folder ? null : await findRunFile(parent);
}

async function ownText(path: string): Promise<string | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { uid, mode } = await file.stat();
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS_MAY_WRITE) === 0);
    return isOwn ? await file.readFile('utf8') : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

async function tokenNamedIn(content: unknown): Promise<string | null> {
  if (typeof content !== 'object' || content === null || !('operationsTokenFile' in content)) return null;
  const { operationsTokenFile: path } = content;
  if (typeof path !== 'string' || !isAbsolute(path)) return null;
  const token = (await readFile(path, 'utf8').catch(() => '')).trimEnd();
  return /^[\x21-\x7e]+$/.test(token) ? token : null;
}
