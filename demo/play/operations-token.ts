// The token of the operations APIs: drawn at the first start and stored beside the data, readable for its owner only.
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** The least length that every app accepts (contract: HTTP). */
const LEAST_LENGTH = 24;
const BYTES = 32;

/** The token in `file`, which is written if there is none, or none that an app would take. */
export async function operationsTokenIn(file: string): Promise<string> {
  const stored = (await readFile(file, 'utf8').catch(() => '')).trimEnd();
  if (stored.length >= LEAST_LENGTH && /^[\x21-\x7e]+$/.test(stored)) return stored;
  const token = randomBytes(BYTES).toString('base64url');
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${token}\n`, { mode: 0o600 });
  await rename(draft, file);
  return token;
}
