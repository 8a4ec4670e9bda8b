import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { createApp } from '@gondola/service-kit/run/create-app';
import { APP_NAMES, type AppName } from '../../src/operations-apis/app-name.ts';

/** Exports of an app's `config.ts` and `app.module.ts`. */
interface AppSource {
  readonly loadConfig: (env: Readonly<Record<string, string>>) => unknown;
  readonly appOptions: (config: unknown, logger: unknown) => AppOptions;
}

export interface DocumentedRoute {
  readonly app: AppName;
  readonly method: string;
  readonly path: string;
}

const TENANT = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  platform: { baseUrl: 'https://platform.example.com', username: 'erp-one', password: { env: 'PASSWORD' } },
  webhook: { tokens: [{ env: 'TOKEN' }] },
  uploads: { tokens: [{ env: 'TOKEN' }] },
};

/** Routes below `/api` of the OpenAPI documents of all apps; no app is started. */
export async function documentedRoutes(): Promise<DocumentedRoute[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-documents-'));
  try {
    const tenantsFile = join(folder, 'tenants.json');
    await writeFile(tenantsFile, JSON.stringify({ tenants: [TENANT] }));
    const routes: DocumentedRoute[] = [];
    for (const app of APP_NAMES) routes.push(...(await routesOf(app, tenantsFile, join(folder, app))));
    return routes.filter(({ path }) => path.startsWith('/api/'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function routesOf(app: AppName, tenantsFile: string, spool: string): Promise<DocumentedRoute[]> {
  // By address: no app imports another.
  const source = new URL(`../../../${app}/src/`, import.meta.url).href;
  const { loadConfig } = (await import(`${source}config.ts`)) as AppSource;
  const { appOptions } = (await import(`${source}app.module.ts`)) as AppSource;
  const config = loadConfig({
    DATABASE_URL: 'postgres://gondola:unused@127.0.0.1:9/gondola',
    KAFKA_BROKERS: '127.0.0.1:9',
    TENANTS_FILE: tenantsFile,
    SPOOL_DIR: spool,
    PASSWORD: 'unused',
    TOKEN: 'an-unused-token-of-some-length',
  });
  const running = await createApp(appOptions(config, createLogger({ app, level: 'silent' })));
  try {
    const { paths } = await running.app.get(OpenApiDocument).content();
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ app, method: method.toUpperCase(), path })),
    );
  } finally {
    await running.stop();
  }
}
