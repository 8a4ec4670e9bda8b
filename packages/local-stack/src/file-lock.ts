import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';
import { waitFor } from './wait-for.ts';

// A lock is taken by linking its next generation, `<file>.<n>`; the highest one holds. A process looks whether the
// highest is held by a living process, links n + 1, and looks again whether that is the highest now. Only generations
// below an existing one are removed, and a release leaves its own behind, marked: so the highest number never falls,
// none is used twice, and a process that was slow between looking and linking finds its number taken or surpassed.
// (Removing a dead one's lock and then linking anew would remove a living one's.) The spool of webhook-ingest locks by
// the same protocol (`spool-lock.ts`); an app's production code imports nothing from here.

/** Of nobody: a generation that was given up. */
const RELEASED: ProcessIdentity = { pid: 0, start: 'released' };

/**
 * Runs `work` while no other process of this machine, and no other call in this one, holds the lock `file`. The lock of
 * a process that died is taken over by one. Leaves one small file. Throws `WAIT_TIMEOUT`.
 */
export async function withFileLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let attempt: Promise<string | null> = Promise.resolve(null);
  const held = await waitFor(() => (attempt = take(file)), { describe: `the lock ${file}`, timeoutMs }).catch(
    async (error: unknown) => {
      // The last attempt may have got it just after the time was up.
      const late = await attempt.catch(() => null);
      if (late !== null) await write(late, RELEASED);
      throw error;
    },
  );
  try {
    return await work();
  } finally {
    await write(held, RELEASED);
  }
}

/** The file that holds the lock from now on; null: somebody else has it, or was faster. */
async function take(file: string): Promise<string | null> {
  const newest = await newestOf(file);
  if (newest !== null && (await isHeld(pathOf(file, newest)))) return null;
  const mine = (newest ?? 0) + 1;
  const path = pathOf(file, mine);
  if (!(await links(path))) return null;
  const generations = await generationsOf(file);
  const older = generations.filter((each) => each < mine);
  if (Math.max(0, ...generations) !== mine) {
    await rm(path, { force: true });
    return null;
  }
  await Promise.all(older.map((each) => rm(pathOf(file, each), { force: true })));
  return path;
}

async function isHeld(path: string): Promise<boolean> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    // It was removed since, so that there is a higher one.
    return true;
  }
  try {
    return isRunning(JSON.parse(text) as ProcessIdentity);
  } catch {
    return false;
  }
}

/** A link appears with its content or not at all: nobody reads half a lock, and only one process gets a number. */
async function links(path: string): Promise<boolean> {
  const draft = await drafted(path, identify(process.pid));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

async function write(path: string, holder: ProcessIdentity): Promise<void> {
  await rename(await drafted(path, holder), path);
}

async function drafted(path: string, holder: ProcessIdentity): Promise<string> {
  const draft = `${path}.draft-${randomBytes(6).toString('hex')}`;
  await writeFile(draft, JSON.stringify(holder));
  return draft;
}

async function newestOf(file: string): Promise<number | null> {
  const generations = await generationsOf(file);
  return generations.length === 0 ? null : Math.max(...generations);
}

/** The file without a number is an earlier version's lock. */
async function generationsOf(file: string): Promise<number[]> {
  const name = basename(file);
  return (await readdir(dirname(file))).flatMap((entry) => {
    if (entry === name) return [0];
    const number = entry.startsWith(`${name}.`) ? entry.slice(name.length + 1) : '';
    return /^\d{1,15}$/.test(number) ? [Number(number)] : [];
  });
}

function pathOf(file: string, generation: number): string {
  return generation === 0 ? file : join(dirname(file), `${basename(file)}.${generation}`);
}
