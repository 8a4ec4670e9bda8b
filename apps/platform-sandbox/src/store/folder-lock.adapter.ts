import { readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HOLDER, LOCK, PID } from './folder-entries.ts';
import { createPrivate, writePrivate } from './private-file.adapter.ts';

const SQLITE_BUSY = 5;

/**
 * The lock of a data folder: two processes would destroy each other's journal. It is a lock of the operating system,
 * which also holds between containers that share the folder, whatever their process ids, and ends with its holder.
 * `packages/local-stack/src/file-lock.ts` takes its locks the same way; the package that is published imports nothing
 * of this repository (ADR 16).
 */
export class FolderLock {
  private constructor(
    private readonly folder: string,
    private readonly database: DatabaseSync,
  ) {}

  /** Throws at once, with the holder, if the folder is in use. */
  static async take(folder: string): Promise<FolderLock> {
    await createPrivate(join(folder, LOCK));
    const database = new DatabaseSync(join(folder, LOCK));
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
        throw new Error(`The lock ${join(folder, LOCK)} cannot be taken`, { cause: error });
      }
      const holder = await readFile(join(folder, HOLDER), 'utf8').catch(() => 'another process');
      throw new Error(`${folder} is in use by ${holder}: stop it, or give this one another folder`, { cause: error });
    }
    await writePrivate(
      join(folder, HOLDER),
      `the sandbox on host ${hostname()}, process ${process.pid}, running since ${new Date().toISOString()}`,
    );
    await rm(join(folder, PID), { force: true });
    return new FolderLock(folder, database);
  }

  async release(): Promise<void> {
    await rm(join(this.folder, HOLDER), { force: true });
    this.database.close();
  }
}
