import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { FetchError } from './fetch-error.ts';

/** Follows no symbolic link and does not block: a named pipe would block the reader forever. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Content by its path under the tenant's root, `FILES_ROOT/<tenant>` (rule 31). The resolved path is opened: `..`
 * and symbolic links cannot leave the root, not even links that are created during the check.
 */
@Injectable()
export class PathContent {
  readonly #root: string | null;

  constructor(@Inject(CONFIG) { fetching }: { readonly fetching: Pick<Config['fetching'], 'filesRoot'> }) {
    this.#root = fetching.filesRoot;
  }

  /** The content while it is read. Throws `FetchError`. */
  async *read(tenant: string, path: string): AsyncGenerator<Uint8Array> {
    if (this.#root === null) throw new FetchError('no-root');
    const file = await opened(join(this.#root, tenant), path);
    try {
      yield* file.createReadStream({ autoClose: false });
    } finally {
      await file.close();
    }
  }
}

async function opened(root: string, path: string): Promise<FileHandle> {
  if (path.includes('\0') || path.startsWith(sep)) throw new FetchError('path-outside');
  const realRoot = await real(root);
  const target = await real(join(realRoot, path));
  if (!target.startsWith(realRoot + sep)) throw new FetchError('path-outside');
  const file = await open(target, FLAGS).catch((error: unknown) => {
    throw new FetchError('path-outside', error);
  });
  try {
    const [held, now] = [await file.stat(), await stat(await real(target))];
    const isSame = held.dev === now.dev && held.ino === now.ino && (await real(target)) === target;
    if (!held.isFile() || !isSame) throw new FetchError('path-outside');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function real(path: string): Promise<string> {
  return realpath(path).catch((error: unknown) => {
    throw new FetchError('not-there', error);
  });
}
