import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { createTestSchema, deleteTopics, testStack, uniquePrefix } from '@gondola/local-stack/test-stack';
import { addressVariable } from '../src/operations-api/addresses.ts';

const APPS = ['webhook-ingest', 'order-command-handler', 'file-gateway'] as const;
const READY_MS = 120_000;

export const ACCOUNT = '11111111-1111-4111-8111-111111111111';

/** The apps as they are built, on topics and schemas of their own. There is no platform. */
export interface RealApps {
  /** The environment of the command line. */
  readonly env: Record<string, string>;
  /** Delivers a body as the platform does, and returns the status. */
  deliver(body: string): Promise<number>;
  stop(): Promise<void>;
}

function token(): string {
  return randomBytes(32).toString('hex');
}

export async function startRealApps(): Promise<RealApps> {
  const prefix = uniquePrefix('cli');
  const folder = await mkdtemp(join(tmpdir(), 'gondola-cli-'));
  const { kafkaBrokers, databaseUrl } = testStack();
  const [operationsToken, webhookToken, uploadToken] = [token(), token(), token()];
  const tenantsFile = join(folder, 'tenants.json');
  await writeFile(tenantsFile, JSON.stringify({ tenants: [TENANT] }));
  const started: ChildApp[] = [];
  const schemas: { drop(): Promise<void> }[] = [];
  const env: Record<string, string> = {
    LANG: 'en_US.UTF-8',
    OPERATIONS_TOKEN: operationsToken,
    GONDOLA_UPLOAD_TOKEN: uploadToken,
    GONDOLA_TIMEOUT_MS: '60000',
  };

  const stop = async (): Promise<void> => {
    await Promise.all(started.map((app) => app.stop()));
    await deleteTopics(kafkaBrokers, prefix);
    for (const schema of schemas) await schema.drop();
    await rm(folder, { recursive: true });
  };

  async function start(app: (typeof APPS)[number]): Promise<void> {
    const schema = await createTestSchema('cli');
    schemas.push(schema);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = await startChildApp({
      name: app,
      args: ['dist/main.js'],
      cwd: join(import.meta.dirname, '../..', app),
      env: {
        KAFKA_BROKERS: kafkaBrokers,
        TOPIC_PREFIX: prefix,
        TOPIC_PARTITIONS: '1',
        DATABASE_URL: databaseUrl,
        DATABASE_SCHEMA: schema.schema,
        HTTP_PORT: String(port),
        OPERATIONS_TOKEN: operationsToken,
        TENANTS_FILE: tenantsFile,
        SPOOL_DIR: join(folder, 'spool'),
        PLATFORM_PASSWORD: 'platform-password',
        WEBHOOK_TOKEN: webhookToken,
        UPLOAD_TOKEN: uploadToken,
      },
      logFile: join(folder, `${app}.log`),
      readyUrl: `${url}/health/ready`,
      readyTimeoutMs: READY_MS,
    });
    started.push(child);
    env[addressVariable(app)] = url;
  }

  const starting = await Promise.allSettled(APPS.map(start));
  const failed = starting.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const deliver = async (body: string): Promise<number> => {
    const response = await fetch(`${env[addressVariable('webhook-ingest')]}/webhooks/platform`, {
      method: 'POST',
      headers: { authorization: `Bearer ${webhookToken}`, 'content-type': 'application/json' },
      body,
    });
    await response.body?.cancel();
    return response.status;
  };
  return { env, deliver, stop };
}

const TENANT = {
  id: 'acme',
  contractAccountId: ACCOUNT,
  platform: { baseUrl: 'http://127.0.0.1:9', username: 'erp-one', password: { env: 'PLATFORM_PASSWORD' } },
  webhook: { tokens: [{ env: 'WEBHOOK_TOKEN' }] },
  uploads: { tokens: [{ env: 'UPLOAD_TOKEN' }] },
};
