import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type KeptProcess, spawnKept } from '@gondola/local-stack/process-keeper';
import type { LoneWorkerOptions } from './lone-worker.ts';

const MAIN = fileURLToPath(new URL('./lone-worker.main.ts', import.meta.url));

/** A worker in a process of its own, to be killed. */
export function spawnVictim(options: LoneWorkerOptions, folder: string): Promise<KeptProcess> {
  return spawnKept({
    command: process.execPath,
    args: [...SOURCES, MAIN, JSON.stringify(options)],
    cwd: folder,
    env: hostEnvironment(),
    logFile: join(folder, 'victim.log'),
  });
}

/** A tenants file with one tenant, `acme`. */
export async function loneTenantsFile(folder: string, baseUrl: string): Promise<string> {
  const file = join(folder, 'tenants.json');
  const platform = { baseUrl, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } };
  const tenant = { id: 'acme', contractAccountId: '11111111-1111-4111-8111-111111111111', platform };
  await writeFile(file, JSON.stringify({ tenants: [tenant] }));
  return file;
}
