import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { createApp } from '@gondola/service-kit/run/create-app';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';

/** Exports of an app's `config.ts` and `app.module.ts`. */
interface AppSource {
  readonly loadConfig: (env: Readonly<Record<string, string>>) => unknown;
  readonly appOptions: (config: unknown, logger: unknown) => AppOptions;
}

/** Folder of the generated types, one file for each app. */
export const TYPES_FOLDER = new URL('../web/src/api/', import.meta.url);

const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway'] as const;
const TENANT = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  platform: { baseUrl: 'https://platform.example.com', username: 'erp-one', password: { env: 'PASSWORD' } },
  webhook: { tokens: [{ env: 'TOKEN' }] },
  uploads: { tokens: [{ env: 'TOKEN' }] },
};

/** TypeScript types of every app's operations API, by file name; no app is started. */
export async function apiTypes(): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-api-types-'));
  try {
    const tenantsFile = join(folder, 'tenants.json');
    await writeFile(tenantsFile, JSON.stringify({ tenants: [TENANT] }));
    const files = new Map<string, string>();
    for (const app of APPS) {
      const document = await documentOf(app, { tenantsFile, spool: join(folder, app) });
      files.set(`${app}.d.ts`, `${COMMENT_HEADER}${astToString(await openapiTS(document as OpenAPI3))}`);
    }
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function documentOf(app: string, { tenantsFile, spool }: { tenantsFile: string; spool: string }) {
  const source = new URL(`../../${app}/src/`, import.meta.url).href;
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
    // A copy, since openapi-typescript changes what it is given.
    return structuredClone(await running.app.get(OpenApiDocument).content());
  } finally {
    await running.stop();
  }
}
