import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFileLock } from './file-lock.ts';

const run = promisify(execFile);
const MAKING_LIMIT_MS = 300_000;
const CHECK_LIMIT_MS = 60_000;
const IMPOSSIBLE = 'impossible';
/** An archive that does not fit is no reason to write lines into Kafka's log: Java goes on without it. */
const QUIET = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off'];

export interface ClassArchiveOptions {
  /** Folder of this Kafka version alone, with its jars: an archive fits no others. */
  folder: string;
  java: string;
  /** Flags of every broker, the class path included. */
  flags: string[];
  /** Starts a broker with these flags more and stops it in good order. Java writes the archive then. */
  train: (flags: string[]) => Promise<void>;
  log: (line: string) => void;
}

/**
 * Flags that have Java take Kafka's classes, parsed and verified, from an archive: a start costs 1.2 s of CPU time
 * instead of 2.1 s. The first one makes the archive, once per Java and Kafka version, while others wait; it is used
 * when Java has shown that it takes it. Java itself passes over an archive that does not fit, but crashes on one that
 * was cut short: a note beside it holds size and time, and one that differs is made anew. Where making it failed, the
 * note says that, and there are no flags.
 */
export async function classArchiveFlags(options: ClassArchiveOptions): Promise<string[]> {
  const archive = join(options.folder, `classes-${await fingerprint(options)}.jsa`);
  let state = await stateOf(archive);
  if (state === 'to be made') {
    await withFileLock(`${archive}.lock`, MAKING_LIMIT_MS, async () => {
      if ((await stateOf(archive)) === 'to be made') await make(archive, options);
    });
    state = await stateOf(archive);
  }
  return state === 'usable' ? [...QUIET, `-XX:SharedArchiveFile=${archive}`] : [];
}

async function stateOf(archive: string): Promise<'to be made' | 'usable' | 'impossible'> {
  const note = await readFile(noteOf(archive), 'utf8').catch(() => undefined);
  if (note === IMPOSSIBLE) return 'impossible';
  return note !== undefined && note === (await stampOf(archive).catch(() => undefined)) ? 'usable' : 'to be made';
}

/** Under the lock: nobody else is at the draft. */
async function make(archive: string, { java, flags, train, log }: ClassArchiveOptions): Promise<void> {
  const draft = `${archive}.draft`;
  await rm(draft, { force: true });
  log('Preparing Kafka for fast starts (once)');
  let note: string;
  try {
    await train([...QUIET, `-XX:ArchiveClassesAtExit=${draft}`]);
    const strict = ['-Xshare:on', ...QUIET, `-XX:SharedArchiveFile=${draft}`, ...flags, '-version'];
    await run(java, strict, { timeout: CHECK_LIMIT_MS });
    note = await stampOf(draft);
    await rename(draft, archive);
  } catch {
    // A Java without archives, for example: Kafka starts as well without.
    await rm(draft, { force: true });
    note = IMPOSSIBLE;
  }
  await writeFile(`${noteOf(archive)}.draft`, note);
  await rename(`${noteOf(archive)}.draft`, noteOf(archive));
}

function noteOf(archive: string): string {
  return `${archive}.note`;
}

async function stampOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return `${size} bytes of ${mtimeMs}`;
}

/** Another one after each update of Java, and in a copy of the folder: Java compares the paths of the jars. */
async function fingerprint({ folder, java }: ClassArchiveOptions): Promise<string> {
  const path = await realpath(java);
  const text = JSON.stringify([folder, path, await stampOf(path)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
