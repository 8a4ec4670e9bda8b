import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTestSchema,
  deleteTopics,
  type TestSchema,
  testStack,
  uniquePrefix,
} from '@gondola/local-stack/test-stack';
import { type AppProcess, startAppProcess } from '@gondola/local-stack/testing/app-process';
import { reply, TestServer } from '@gondola/local-stack/testing/test-server';
import { conformance } from './conformance/conformance.ts';

const ACCOUNT = '11111111-1111-4111-8111-111111111111';
const TOKEN = 'webhook-token-of-the-test';
const OTHER_TOKEN = 'webhook-token-of-another-tenant';

describe('gondola conformance receiver', () => {
  const args = ['receiver', '--account', ACCOUNT, '--url'];
  const env = { GONDOLA_WEBHOOK_TOKEN: TOKEN, GONDOLA_OTHER_WEBHOOK_TOKEN: OTHER_TOKEN };

  describe('with webhook-ingest', () => {
    const prefix = uniquePrefix('conformance');
    let folder: string;
    let schema: TestSchema;
    let ingest: AppProcess;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gondola-conformance-'));
      const platform = { baseUrl: 'http://127.0.0.1:9', username: 'erp', password: { env: 'PLATFORM_PASSWORD' } };
      const tenants = [
        { id: 'acme', contractAccountId: ACCOUNT, platform, webhook: { tokens: [{ env: 'TOKEN' }] } },
        { id: 'bairro', contractAccountId: randomUUID(), platform, webhook: { tokens: [{ env: 'OTHER_TOKEN' }] } },
      ];
      const TENANTS_FILE = join(folder, 'tenants.json');
      await writeFile(TENANTS_FILE, JSON.stringify({ tenants }));
      schema = await createTestSchema('conformance');
      const { kafkaBrokers: KAFKA_BROKERS, databaseUrl: DATABASE_URL } = testStack();
      const servers = { KAFKA_BROKERS, DATABASE_URL, DATABASE_SCHEMA: schema.schema, TOPIC_PREFIX: prefix };
      const secrets = { TOKEN, OTHER_TOKEN, PLATFORM_PASSWORD: 'not-a-secret-in-a-test' };
      const appEnv = { ...servers, ...secrets, TENANTS_FILE, TOPIC_PARTITIONS: '1', SPOOL_DIR: join(folder, 'spool') };
      const app = join(import.meta.dirname, '../../webhook-ingest');
      ingest = await startAppProcess({ folder: app, env: appEnv, logFile: join(folder, 'ingest.log') });
    });
    afterAll(async () => {
      await ingest?.stop();
      await schema?.drop();
      await deleteTopics(testStack().kafkaBrokers, prefix);
      await rm(folder, { recursive: true });
    });

    it('finds no fault (rule 4)', async () => {
      const seen = await conformance([...args, `${ingest.url}/webhooks/platform`], env);
      expect(seen).toMatchObject({ exit: 0, failed: [], skipped: [] });
    });
  });

  it('finds each planted fault of a bad receiver, and nothing else', async () => {
    const seenOperations = new Set<string>();
    const bad = await TestServer.start(({ headers, body }, response) => {
      const { operationId, relatedEntity } = readable(body);
      const isRepeat = operationId !== undefined && seenOperations.has(operationId);
      if (operationId !== undefined) seenOperations.add(operationId);
      if (body.length > 5_000_000) return reply(response, { status: 413 });
      if (headers.authorization === undefined) return reply(response, { status: 401 });
      return reply(response, { status: isRepeat ? 409 : relatedEntity === 'Future' ? 500 : 200 });
    });
    try {
      const { exit, failed } = await conformance([...args, bad.url], { GONDOLA_WEBHOOK_TOKEN: TOKEN });
      expect([exit, failed]).toEqual([
        1,
        [
          'repeats: the same one, three times, is taken',
          'at once: twenty at once are taken',
          'token: a wrong token is refused',
          'hostile: an unknown entity',
        ],
      ]);
    } finally {
      await bad.stop();
    }
  });
});

function readable(body: Buffer): { readonly operationId?: string; readonly relatedEntity?: string } {
  try {
    return (JSON.parse(body.toString()) as object | null) ?? {};
  } catch {
    return {};
  }
}
