import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VITE = join(import.meta.dirname, '../../../../node_modules/vite/bin/vite.js');

/** The page of an app, built from its sources as for production into a folder of its own. `app` is the app's folder. */
export async function buildPage(app: string): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-page-'));
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [VITE, 'build', '--outDir', folder], { cwd: app, env });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
