import { chmodSync, lstatSync, type Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  CONTENTS,
  folderProblem,
  isContent,
  isOwnFile,
  MARKER,
  markerOf,
  PART,
  type FolderEntry,
  type FolderSurvey,
} from './folder-entries.ts';
import { FolderLock } from './folder-lock.adapter.ts';
import { FILE_MODE, syncFolder, writePrivate } from './private-file.adapter.ts';

const FOLDER_MODE = 0o700;
const MODE_BITS = 0o777;
/** More than a marker has, and than it takes to recognise any file of the sandbox. */
const BEGIN_BYTES = 1_024;

/** The folder of the state: made, checked, closed to other users, and locked for this process. */
export class DataFolder {
  private constructor(
    readonly path: string,
    private readonly lock: FolderLock,
  ) {}

  /**
   * Opens the folder, also a new one and that of an earlier version. Throws a sentence if it is somebody else's, if a
   * symbolic link is where the sandbox has a file or folder, or if it is in use; then nothing in it was changed.
   * `version`: that of this sandbox.
   */
  static async open(given: string, version: string): Promise<DataFolder> {
    // Without a slash at its end, which would follow a link.
    const path = resolve(given);
    try {
      await survey(path, version);
      // Only the last folder is the sandbox's own.
      await mkdir(dirname(path), { recursive: true });
      await makePrivateFolder(path);
      const lock = await FolderLock.take(path);
      try {
        await DataFolder.makeOwn(path, version);
        return new DataFolder(path, lock);
      } catch (error) {
        await lock.release();
        throw error;
      }
    } catch (error) {
      throw readable(error, path);
    }
  }

  private static async makeOwn(path: string, version: string): Promise<void> {
    // Once more: other users could change the folder until it was closed to them.
    const { entries, contents } = await survey(path, version);
    for (const { name } of entries) if (isOwnFile(name)) narrow(join(path, name), FILE_MODE);
    const text = markerOf(version);
    if (entries.find(({ name }) => name === MARKER)?.begin !== text) {
      const marker = join(path, MARKER);
      await writePrivate(marker + PART, text);
      await rename(marker + PART, marker);
      await syncFolder(path);
    }
    await makePrivateFolder(join(path, CONTENTS));
    for (const { name } of contents) if (isContent(name)) narrow(join(path, CONTENTS, name), FILE_MODE);
  }

  async release(): Promise<void> {
    await this.lock.release();
  }
}

/** Looks at the folder without changing it; throws what `folderProblem` says. */
async function survey(path: string, version: string): Promise<FolderSurvey> {
  const found: FolderSurvey = { path, ...(await entriesOf(path)) };
  const problem = folderProblem(found, version);
  if (problem !== null) throw new Error(problem);
  return found;
}

async function entriesOf(path: string): Promise<Pick<FolderSurvey, 'entries' | 'contents'>> {
  const self = await lstat(path).catch(noneIfMissing);
  if (self === null) return { entries: [], contents: [] };
  if (self.isSymbolicLink()) {
    throw new Error(
      `${path} is a symbolic link, and the sandbox follows none: name the folder itself (--data, DATA_DIR)`,
    );
  }
  if (!self.isDirectory()) throw new Error(`${path} is not a folder: name one, or a new one (--data, DATA_DIR)`);
  const entries: FolderEntry[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const begin = entry.isFile() && isOwnFile(entry.name) ? await beginOf(join(path, entry.name)) : '';
    entries.push({ name: entry.name, kind: kindOf(entry), begin });
  }
  const hasContents = entries.some(({ name, kind }) => name === CONTENTS && kind === 'folder');
  const contents = hasContents ? await readdir(join(path, CONTENTS), { withFileTypes: true }) : [];
  return { entries, contents: contents.map((entry) => ({ name: entry.name, kind: kindOf(entry), begin: '' })) };
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isSymbolicLink()) return 'symbolic link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'special file';
}

/** First characters of a file; none if it is gone, because a sandbox that runs removes files of its own. */
async function beginOf(path: string): Promise<string> {
  const { size } = (await lstat(path).catch(noneIfMissing)) ?? { size: 0 };
  // Not even opened: to close the lock's file, which is empty, would release the lock that this process has.
  if (size === 0) return '';
  const file = await open(path, 'r').catch(noneIfMissing);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGIN_BYTES), 0, BEGIN_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { mode: FOLDER_MODE }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  narrow(path, FOLDER_MODE);
}

/** Synchronous: of many thousand files most are narrow already, and nothing else runs yet. */
function narrow(path: string, mode: number): void {
  if ((lstatSync(path).mode & MODE_BITS) !== mode) chmodSync(path, mode);
}

function noneIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

/** A sentence in place of an error of the file system. */
function readable(error: unknown, path: string): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new Error(
    `${path} cannot be used as the folder of the state (${message}): ` +
      'name one that the user of the sandbox owns, or may create (--data, DATA_DIR)',
    { cause: error },
  );
}
