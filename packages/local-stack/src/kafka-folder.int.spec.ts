import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hostEnvironment } from './host-environment.ts';
import { findJava } from './java.ts';
import { prepareKafkaFolder } from './kafka-folder.ts';
import { ensureKafkaJars, KAFKA_JARS_FOLDER } from './kafka-jars.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const BOOTSTRAP = 'bootstrap.checkpoint';
const NO_JAVA = ['/nowhere/java'];

describe('a broker’s folder', () => {
  it('is formatted by Kafka once, also for several at a time, and later copied without Java', async () => {
    await using parent = await temporaryFolder();
    const store = await folderIn(parent.path, 'store');
    const java = await realJava();
    const [first, second] = await Promise.all(['a', 'b'].map((name) => format(parent.path, name, store, java)));
    expect(await readdir(store)).toEqual([BOOTSTRAP]);
    const third = await format(parent.path, 'c', store, NO_JAVA);
    const folders = [first!, second!, third];
    for (const { names } of folders) expect(names).toEqual([BOOTSTRAP, 'meta.properties']);
    expect(third.bootstrap).toEqual(await readFile(join(store, BOOTSTRAP)));
    expect(new Set(folders.flatMap(({ ids }) => ids)).size).toBe(6);
    for (const { clusterId, ids } of folders) expect(ids).toContain(clusterId);
  });

  it('is formatted by Kafka again if the stored copy is missing or empty', async () => {
    await using parent = await temporaryFolder();
    const store = await folderIn(parent.path, 'store');
    await writeFile(join(store, BOOTSTRAP), '');
    await expect(format(parent.path, 'a', store, NO_JAVA)).rejects.toThrow('could not be started');
    const java = await realJava();
    const { bootstrap } = await format(parent.path, 'b', store, java);
    expect(bootstrap.length).toBeGreaterThan(0);
    await rm(join(store, BOOTSTRAP));
    await expect(format(parent.path, 'c', store, NO_JAVA)).rejects.toThrow('could not be started');
  });
});

async function realJava(): Promise<string[]> {
  const env = hostEnvironment();
  const java = await findJava(env);
  await ensureKafkaJars({ folder: KAFKA_JARS_FOLDER, env, log: () => {} });
  return [java, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(KAFKA_JARS_FOLDER, '*')];
}

async function format(parent: string, name: string, store: string, java: string[]) {
  const folder = await folderIn(parent, name);
  const { clusterId } = await prepareKafkaFolder({ folder, java, store });
  const data = join(folder, 'data');
  const meta = await readFile(join(data, 'meta.properties'), 'utf8');
  return {
    clusterId,
    names: (await readdir(data)).toSorted(),
    bootstrap: await readFile(join(data, BOOTSTRAP)),
    ids: ['cluster.id', 'directory.id'].map((key) => new RegExp(`^${key}=(.{22})$`, 'm').exec(meta)?.[1]),
  };
}

async function folderIn(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path);
  return path;
}
