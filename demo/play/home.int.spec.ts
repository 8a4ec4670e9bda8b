import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from './gondola.ts';
import { claimHome } from './home.ts';

const FOR_OTHERS = 0o007;
const RUNNING = '{"pid":1}';

describe('the folder of npm start', () => {
  let root: string;
  let path: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'gondola-home-'));
    path = join(root, '.gondola');
  });
  afterEach(() => rm(root, { recursive: true }));

  it('stays with the start that has it when a second one is refused', async () => {
    const home = await claimHome(path);
    await writeFile(home.addressesFile, RUNNING);
    for (let time = 1; time <= 2; time += 1) {
      const second = await start(path);
      expect(second).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^Gondola runs already .*Ctrl-C first[^\n]*\n$/),
      });
      expect(await readFile(home.addressesFile, 'utf8')).toBe(RUNNING);
    }
    await home.release();
    await expect(stat(home.addressesFile)).rejects.toMatchObject({ code: 'ENOENT' });
    const next = await claimHome(path);
    await next.release();
  });

  it('is closed to other users, with data and logs, also one that an earlier version left open', async () => {
    for (const folder of [path, join(path, 'data'), join(path, 'logs')]) {
      await mkdir(folder);
      await chmod(folder, 0o755);
    }
    const home = await claimHome(path);
    for (const folder of [path, home.dataDir, home.logDir, join(path, 'start')])
      expect((await stat(folder)).mode & FOR_OTHERS).toBe(0);
    await home.release();
  });
});

function start(folder: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=gondola-source', join(ROOT, 'demo/start.ts'), folder],
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
