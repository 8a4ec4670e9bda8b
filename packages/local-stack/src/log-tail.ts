import { readFile, stat } from 'node:fs/promises';

const TAIL_LINES = 25;

/** The size of a log so far, in bytes, for a later `logSince`. */
export async function logEnd(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** What was written to a log after `from`: a log holds earlier starts too. Empty when there is no log. */
export async function logSince(file: string, from: number): Promise<string> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return bytes.subarray(from).toString('utf8').trim();
}

/** The last lines of a log's text, for an error message. */
export function tailOf(log: string): string {
  return log ? log.split('\n').slice(-TAIL_LINES).join('\n') : '(nothing)';
}
