import { readFile, stat } from 'node:fs/promises';

/** The size of a log so far, in bytes, for a later `logTail`. */
export async function logEnd(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** The last lines of a log, for an error message; only of what was written after `from`, since a log holds earlier starts too. */
export async function logTail(file: string, from = 0, lines = 25): Promise<string> {
  try {
    const text = (await readFile(file)).subarray(from).toString('utf8');
    return text.trim().split('\n').slice(-lines).join('\n') || '(nothing)';
  } catch {
    return '(no log)';
  }
}
