// Token of the operations APIs: created at the first start and stored beside the data, readable only by its owner.
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Minimum length that every app accepts (contract: HTTP). */
const LEAST_LENGTH = 24;
const BYTES = 32;

/** The token in `file`; a new one is written if the file is missing or its token is not valid. */
export async function operationsTokenIn(file: string): Promise<string> {
  const stored = (await readFile(file, 'utf8').catch(() => '')).trimEnd();
  if (stored.length >= LEAST_LENGTH && /^[\x21-\x7e]+$/.test(stored)) return stored;
  const token = randomBytes(BYTES).toString('base64url');
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${token}\n`, { mode: 0o600 });
  await rename(draft, file);
  return token;
}
