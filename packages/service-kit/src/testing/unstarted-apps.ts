import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger } from '../logging/logger.ts';
import type { AppOptions } from '../run/app-options.ts';
import { createApp } from '../run/create-app.ts';

/** Exports of an app's `config.ts` and `app.module.ts`. */
interface AppSource {
  readonly loadConfig: (env: Readonly<Record<string, string>>) => unknown;
  readonly appOptions: (config: unknown, logger: unknown) => AppOptions;
}

const TENANT = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  platform: { baseUrl: 'https://platform.example.com', username: 'erp-one', password: { env: 'PASSWORD' } },
  webhook: { tokens: [{ env: 'TOKEN' }] },
  uploads: { tokens: [{ env: 'TOKEN' }] },
};

const ENVIRONMENT = {
  DATABASE_URL: 'postgres://gondola:unused@127.0.0.1:9/gondola',
  KAFKA_BROKERS: '127.0.0.1:9',
  OPERATIONS_TOKEN: 'an-unused-token-of-some-length',
  CONSOLE_LINK_SECRET: 'an-unused-secret-of-some-length',
  PASSWORD: 'unused',
  TOKEN: 'an-unused-token-of-some-length',
};

/**
 * Builds the modules of apps, which are folders of `apps`, one after the other, and returns what `read` finds in each;
 * no app is started. The apps are imported by their address, because no app imports another.
 */
export async function readUnstartedApps<N extends string, T>(
  apps: URL,
  names: readonly N[],
  read: (app: NestFastifyApplication, name: N) => T | Promise<T>,
): Promise<T[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-unstarted-'));
  try {
    const tenantsFile = join(folder, 'tenants.json');
    await writeFile(tenantsFile, JSON.stringify({ tenants: [TENANT] }));
    const found: T[] = [];
    for (const name of names) {
      const { loadConfig } = (await import(new URL(`${name}/src/config.ts`, apps).href)) as AppSource;
      const { appOptions } = (await import(new URL(`${name}/src/app.module.ts`, apps).href)) as AppSource;
      const config = loadConfig({ ...ENVIRONMENT, TENANTS_FILE: tenantsFile, SPOOL_DIR: join(folder, name) });
      const running = await createApp(appOptions(config, createLogger({ app: name, level: 'silent' })));
      try {
        found.push(await read(running.app, name));
      } finally {
        await running.stop();
      }
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
