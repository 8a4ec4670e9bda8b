import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import {
  createTestSchema,
  deleteTopics,
  type TestSchema,
  testStack,
  uniquePrefix,
} from '@gondola/local-stack/test-stack';
import { addressVariable, type AppName } from '../src/operations-api/addresses.ts';
import { type Ended, run } from '../src/run.ts';

export const ACCOUNT = '11111111-1111-4111-8111-111111111111';

/** Built apps on their own topics and schemas. There is no platform. */
export interface RealApps {
  /** Environment of the command line. */
  readonly env: Record<string, string>;
  /** Connection URL of each app's schema. */
  readonly schemaUrls: ReadonlyMap<RealApp, string>;
  /** `TOPIC_PREFIX`. */
  readonly prefix: string;
  /** Folder that holds the spool of each replica as `spool-<name>`. */
  readonly folder: string;
  /** Runs the command line in this process. */
  gondola(...args: string[]): Promise<Ended>;
  /** Runs the command line with `--json` and returns what it prints; rejects if it fails. */
  json<T>(...args: string[]): Promise<T>;
  /** Delivers a body as the platform does, to the given replica if any, and returns the status. */
  deliver(body: string, url?: string): Promise<number>;
  /** Uploads a PDF to file-gateway, and returns its `uploadId`. */
  upload(pdf: string): Promise<string>;
  /** Starts one more replica, with its own spool and variables; it is stopped with the others. */
  startReplica(
    app: RealApp,
    name: string,
    variables?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly child: ChildApp }>;
  stop(): Promise<void>;
}

function token(): string {
  return randomBytes(32).toString('hex');
}

type RealApp = AppName;

/** @param variables environment variables of every app */
export async function startRealApps(
  apps: readonly RealApp[],
  variables: Readonly<Record<string, string>> = {},
): Promise<RealApps> {
  const prefix = uniquePrefix('cli');
  const folder = await mkdtemp(join(tmpdir(), 'gondola-cli-'));
  const { kafkaBrokers, databaseUrl } = testStack();
  const [operationsToken, webhookToken, uploadToken] = [token(), token(), token()];
  const tenantsFile = join(folder, 'tenants.json');
  await writeFile(tenantsFile, JSON.stringify({ tenants: [TENANT] }));
  const started: ChildApp[] = [];
  const schemas = new Map<RealApp, TestSchema>();
  const env: Record<string, string> = {
    LANG: 'en_US.UTF-8',
    OPERATIONS_TOKEN: operationsToken,
    GONDOLA_UPLOAD_TOKEN: uploadToken,
    GONDOLA_TIMEOUT_MS: '60000',
  };

  const stop = async (): Promise<void> => {
    await Promise.all(started.map((app) => app.stop()));
    await deleteTopics(kafkaBrokers, prefix);
    for (const schema of schemas.values()) await schema.drop();
    await rm(folder, { recursive: true });
  };

  async function startReplica(
    app: RealApp,
    name: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ url: string; child: ChildApp }> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = await startChildApp({
      name,
      args: ['dist/main.js'],
      cwd: join(import.meta.dirname, '../..', app),
      env: {
        KAFKA_BROKERS: kafkaBrokers,
        TOPIC_PREFIX: prefix,
        TOPIC_PARTITIONS: '1',
        DATABASE_URL: databaseUrl,
        DATABASE_SCHEMA: schemas.get(app)!.schema,
        HTTP_PORT: String(port),
        OPERATIONS_TOKEN: operationsToken,
        TENANTS_FILE: tenantsFile,
        SPOOL_DIR: join(folder, `spool-${name}`),
        PLATFORM_PASSWORD: 'platform-password',
        WEBHOOK_TOKEN: webhookToken,
        UPLOAD_TOKEN: uploadToken,
        ...variables,
        ...more,
      },
      logFile: join(folder, `${name}.log`),
      readyUrl: `${url}/health/ready`,
    });
    started.push(child);
    return { url, child };
  }

  async function start(app: RealApp): Promise<void> {
    schemas.set(app, await createTestSchema('cli'));
    env[addressVariable(app)] = (await startReplica(app, app)).url;
  }

  const starting = await Promise.allSettled(apps.map(start));
  const failed = starting.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const deliver = async (body: string, url = env[addressVariable('webhook-ingest')]!): Promise<number> => {
    const response = await fetch(`${url}/webhooks/platform`, {
      method: 'POST',
      headers: { authorization: `Bearer ${webhookToken}`, 'content-type': 'application/json' },
      body,
    });
    await response.body?.cancel();
    return response.status;
  };
  const upload = async (body: string): Promise<string> => {
    const headers = { authorization: `Bearer ${uploadToken}`, 'content-type': 'application/pdf' };
    const response = await fetch(`${env[addressVariable('file-gateway')]}/uploads`, { method: 'POST', headers, body });
    return ((await response.json()) as { uploadId: string }).uploadId;
  };
  const gondola = (...args: string[]): Promise<Ended> => run({ args, env, folder: '/', width: null });
  const json = async <T>(...args: string[]): Promise<T> => {
    const { stdout, stderr, exit } = await gondola(...args, '--json');
    if (exit !== 0) throw new Error(`gondola ${args.join(' ')} ended with ${exit}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  const schemaUrls = new Map([...schemas].map(([app, { url }]) => [app, url]));
  return { env, schemaUrls, prefix, folder, gondola, json, deliver, upload, startReplica, stop };
}

const TENANT = {
  id: 'acme',
  contractAccountId: ACCOUNT,
  platform: { baseUrl: 'http://127.0.0.1:9', username: 'erp-one', password: { env: 'PLATFORM_PASSWORD' } },
  webhook: { tokens: [{ env: 'WEBHOOK_TOKEN' }], users: true },
  uploads: { tokens: [{ env: 'UPLOAD_TOKEN' }] },
};
