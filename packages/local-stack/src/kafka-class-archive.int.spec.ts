import { readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { classArchiveFlags } from './kafka-class-archive.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

/** Writes an archive as Java does on exit; `java` determines whether it is accepted. */
async function record(flags: string[]): Promise<void> {
  const draft = flags.find((flag) => flag.startsWith('-XX:ArchiveClassesAtExit='))!.split('=')[1]!;
  await writeFile(draft, 'classes');
}

async function aJava(folder: string, exitCode: number): Promise<string> {
  const java = join(folder, 'java');
  await writeFile(java, `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o755 });
  return java;
}

describe('the archive of Kafka’s classes', () => {
  it('is created once by the first process, while others wait, and used by all', async () => {
    await using folder = await temporaryFolder();
    const java = await aJava(folder.path, 0);
    let trainings = 0;
    const train = async (flags: string[]) => {
      trainings += 1;
      await record(flags);
    };
    const flags = () => classArchiveFlags({ folder: folder.path, java, flags: [], train, log: () => {} });

    const all = await Promise.all([flags(), flags(), flags()]);
    expect(new Set(all.map((each) => each.join(' '))).size).toBe(1);
    expect(trainings).toBe(1);
    expect(await readFile(archiveIn(all[0]), 'utf8')).toBe('classes');
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('is recreated after an update of Java', async () => {
    await using folder = await temporaryFolder();
    const java = await aJava(folder.path, 0);
    const flags = () => classArchiveFlags({ folder: folder.path, java, flags: [], train: record, log: () => {} });
    const before = archiveIn(await flags());
    await utimes(java, 0, 0);
    const after = archiveIn(await flags());
    expect(after).not.toBe(before);
    expect((await stat(after)).size).toBeGreaterThan(0);
  });

  it.each([
    ['cut short', (archive: string) => truncate(archive, 3)],
    ['removed', (archive: string) => rm(archive)],
    ['replaced by another', (archive: string) => utimes(archive, 0, 0)],
  ])('that was %s is recreated, as Java would crash on it', async (_, damage) => {
    await using folder = await temporaryFolder();
    const java = await aJava(folder.path, 0);
    const flags = () => classArchiveFlags({ folder: folder.path, java, flags: [], train: record, log: () => {} });
    const archive = archiveIn(await flags());
    await damage(archive);
    expect(archiveIn(await flags())).toBe(archive);
    expect(await readFile(archive, 'utf8')).toBe('classes');
    expect((await stat(archive)).mtimeMs).toBeGreaterThan(0);
  });

  it.each([
    ['Java refuses what it wrote', 1, record],
    ['nothing was written', 1, async () => {}],
    ['the broker does not start', 0, () => Promise.reject(new Error('unknown option'))],
  ])('is omitted, and not tried again, if %s', async (_, exitCode, outcome) => {
    await using folder = await temporaryFolder();
    const java = await aJava(folder.path, exitCode);
    let trainings = 0;
    const train = async (flags: string[]) => {
      trainings += 1;
      await outcome(flags);
    };
    for (let start = 1; start <= 2; start += 1)
      expect(await classArchiveFlags({ folder: folder.path, java, flags: [], train, log: () => {} })).toEqual([]);
    expect(trainings).toBe(1);
  });
});

function archiveIn(flags: string[]): string {
  return flags.find((flag) => flag.startsWith('-XX:SharedArchiveFile='))!.split('=')[1]!;
}
