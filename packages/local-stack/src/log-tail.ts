import { readFile } from 'node:fs/promises';

/** The last lines of a log, for an error message. */
export async function logTail(file: string, lines = 25): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    return text.trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '(no log)';
  }
}
