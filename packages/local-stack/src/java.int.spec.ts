import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findJava } from './java.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

describe('the search for a Java that can run Kafka', () => {
  it('reports in one sentence what to install if there is none', async () => {
    await using folder = await temporaryFolder();
    await expect(findJava({ PATH: folder.path })).rejects.toMatchObject({
      code: 'JAVA_MISSING',
      message: expect.stringMatching(/^Kafka needs Java, which is missing: install a Java 17 or newer \(.*\)$/),
    });
  });

  it('names the version that it found if that is too old', async () => {
    await using folder = await temporaryFolder();
    const path = await fakeJava(folder.path, '1.8.0_412');
    await expect(findJava({ PATH: path })).rejects.toMatchObject({
      code: 'JAVA_TOO_OLD',
      message: expect.stringContaining('has Java 8'),
    });
  });

  it('takes the first new enough one, and JAVA_HOME before PATH', async () => {
    await using folder = await temporaryFolder();
    const old = await fakeJava(join(folder.path, 'old'), '11.0.2');
    const first = await fakeJava(join(folder.path, 'first'), '17.0.15');
    const home = await fakeJava(join(folder.path, 'home', 'bin'), '21');
    expect(await findJava({ PATH: `${old}:${first}` })).toBe(join(first, 'java'));
    expect(await findJava({ PATH: first, JAVA_HOME: join(folder.path, 'home') })).toBe(join(home, 'java'));
    expect(await findJava({ PATH: first, JAVA_HOME: old })).toBe(join(first, 'java'));
  });
});

async function fakeJava(folder: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'java'), `#!/bin/sh\necho 'openjdk version "${version}" 2026-01-20' >&2\n`, {
    mode: 0o755,
  });
  return folder;
}
