import { readFile, stat } from 'node:fs/promises';

const TAIL_LINES = 25;

/** Current size of a log in bytes, for a later `logSince`. */
export async function logEnd(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** Text of a log after position `from`, since a log also contains earlier starts. Empty if there is no log. */
export async function logSince(file: string, from: number): Promise<string> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return bytes.subarray(from).toString('utf8').trim();
}

/** Last lines of a log's text, for an error message. */
export function tailOf(log: string): string {
  return log ? log.split('\n').slice(-TAIL_LINES).join('\n') : '(nothing)';
}
