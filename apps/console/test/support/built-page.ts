import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const VITE = join(ROOT, '../../node_modules/vite/bin/vite.js');

/** The page, built from its sources as for production into a folder of its own. */
export async function buildPage(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-page-'));
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [VITE, 'build', '--outDir', folder], { cwd: ROOT, env });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
