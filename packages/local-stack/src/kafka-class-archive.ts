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
/**
 * Java ignores an archive that does not fit; these flags stop it from writing lines about that into Kafka's log.
 */
const QUIET = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off'];

export interface ClassArchiveOptions {
  /** Folder of this Kafka version alone, with its jars: an archive fits only one version. */
  folder: string;
  java: string;
  /** Flags of every broker, including the class path. */
  flags: string[];
  /** Starts a broker with these additional flags and stops it properly, which makes Java write the archive. */
  train: (flags: string[]) => Promise<void>;
  log: (line: string) => void;
}

/**
 * Flags with which Java loads Kafka's classes, parsed and verified, from an archive: a start takes 1.2 s of CPU
 * time instead of 2.1 s. The first process creates the archive, once per Java and Kafka version, while others wait.
 * It is used only after Java has accepted it once. Java ignores an archive that does not fit, but crashes on a
 * truncated one. Therefore a note beside the archive contains its size and time; an archive that differs from its
 * note is created again. If creating it fails, the note records that, and there are no flags.
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

/** Called under the lock, so no other process uses the draft. */
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
    // For example a Java without archives; Kafka also starts without one.
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

/** Differs after each update of Java, and in a copy of the folder, since Java compares the paths of the jars. */
async function fingerprint({ folder, java }: ClassArchiveOptions): Promise<string> {
  const path = await realpath(java);
  const text = JSON.stringify([folder, path, await stampOf(path)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
