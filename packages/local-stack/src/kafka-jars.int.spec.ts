import { cp, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hostEnvironment } from './host-environment.ts';
import { ensureKafkaJars, KAFKA_JARS_FOLDER } from './kafka-jars.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const CLIENTS = 'kafka-clients-4.1.1.jar';

describe('Kafka’s jars', () => {
  it('are fetched once by the first process, and repaired if one is missing or truncated', async () => {
    await using parent = await temporaryFolder();
    const lines: string[] = [];
    const folder = join(parent.path, 'kafka');
    let env = hostEnvironment();
    const ensure = () => ensureKafkaJars({ folder, env, log: (line) => lines.push(line) });

    await Promise.all([ensure(), ensure(), ensure()]);
    expect(lines).toHaveLength(1);
    const complete = await jarsIn(folder);
    expect(complete).toHaveLength(46);

    // Maven itself was tested above; the following tests check when it is called.
    const fetched = join(parent.path, 'fetched');
    await cp(folder, fetched, { recursive: true });
    env = await copyingMaven(parent.path, fetched);

    await rm(join(folder, CLIENTS));
    await ensure();
    expect(lines).toHaveLength(2);
    expect(await jarsIn(folder)).toEqual(complete);

    await truncate(join(folder, CLIENTS), 1000);
    await ensure();
    expect(lines).toHaveLength(3);
    await ensure();
    expect(lines).toHaveLength(3);
    const ours = (await readdir(parent.path)).filter((name) => name.startsWith('kafka')).toSorted();
    expect(ours).toEqual(['kafka', 'kafka.lock']);
  });

  it('are fetched by the next process if one died in the download', async () => {
    await using parent = await temporaryFolder();
    const folder = join(parent.path, 'kafka');
    await writeFile(`${folder}.lock`, '');
    await mkdir(`${folder}.a1b2c3.draft`);
    await ensureKafkaJars({ folder: KAFKA_JARS_FOLDER, env: hostEnvironment(), log: () => {} });
    const env = await copyingMaven(parent.path, KAFKA_JARS_FOLDER);
    await ensureKafkaJars({ folder, env, log: () => {} });
    expect(await jarsIn(folder)).toHaveLength(46);
    expect((await readdir(parent.path)).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('cannot be fetched without Maven, and one sentence names what to install', async () => {
    await using parent = await temporaryFolder();
    const attempt = ensureKafkaJars({ folder: join(parent.path, 'kafka'), env: { PATH: parent.path }, log: () => {} });
    await expect(attempt).rejects.toMatchObject({
      code: 'MAVEN_MISSING',
      message: expect.stringMatching(/^Maven, which fetches Kafka, is missing: install it \(.*\)$/),
    });
  });

  it('cannot be fetched if Maven fails, and its reason is shown', async () => {
    await using parent = await temporaryFolder();
    const fake = join(parent.path, 'mvn');
    await writeFile(fake, '#!/bin/sh\necho "[ERROR] repository is unreachable"; exit 1\n', { mode: 0o755 });
    const attempt = ensureKafkaJars({ folder: join(parent.path, 'kafka'), env: { PATH: parent.path }, log: () => {} });
    await expect(attempt).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: 'Maven could not fetch Kafka 4.1.1: [ERROR] repository is unreachable',
    });
  });
});

/**
 * An environment whose `mvn` copies the jars of a folder to the requested place, instead of a Maven that takes
 * seconds to start.
 */
async function copyingMaven(folder: string, source: string): Promise<Record<string, string>> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const script = `#!/bin/sh\nfor option; do :; done\ncp '${source}'/*.jar "\${option#-DoutputDirectory=}"\n`;
  await writeFile(join(bin, 'mvn'), script, { mode: 0o755 });
  const { PATH = '', ...rest } = hostEnvironment();
  return { ...rest, PATH: `${bin}:${PATH}` };
}

async function jarsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.jar')).toSorted();
}
