import { writeFile } from 'node:fs/promises';

/** Writes a new file; returns the code of the failure, and null if there is none. An existing file is left as it is. */
export async function writeTable(path: string, text: string): Promise<string | null> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'error';
  }
}
