import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';

/** Creates a folder that only this user can access, or restricts access to an existing one. */
export async function privateFolder(path: string): Promise<void> {
  // Without a mode, since `mkdir` would apply it to the parent folders too.
  await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
}

/**
 * Writes a file that only this user can read, in place of any that was there: whoever opens it finds the former text or
 * the new one, also after a kill.
 */
export async function writePrivately(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}
