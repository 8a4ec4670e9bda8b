import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildApp, FROM_SOURCES, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import {
  createTestSchema,
  deleteTopics,
  type TestSchema,
  testStack,
  uniquePrefix,
} from '@gondola/local-stack/test-stack';
import { asOperator, TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';
import { peakBytes } from '@gondola/local-stack/testing/peak-memory';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { png } from './support/contents.ts';
import { ScriptedPlatform } from './support/scripted-platform.ts';
import { TENANT, tenantsOf, TOKEN } from './support/tenants.ts';

const PICTURE_BYTES = 200_000;
const PICTURES_PER_SKU = 5;
const UPLOADS_AT_ONCE = 4;
const FEW = 100;
const MANY = 1_000;
/** The target is 300 MB, which is printed. The test checks that ten times as many pictures need no more memory. */
const MOST_GROWTH = 1.5;

/** Runs the app as a separate process, so that only its memory is measured. */
describe('the memory of many pictures', () => {
  const prefix = uniquePrefix('picture-memory');
  let platform: ScriptedPlatform;
  let schema: TestSchema;
  let folder: string;
  let app: ChildApp;
  let database: Database;
  let url: string;

  beforeAll(async () => {
    platform = await ScriptedPlatform.start();
    platform.on.uploadImages = (request) => {
      platform.storeImages(request);
      // This process does not store the requests.
      platform.requests.length = 0;
      return { status: 200, json: { operationId: randomUUID() } };
    };
    schema = await createTestSchema('picture-memory');
    folder = await mkdtemp(join(tmpdir(), 'gondola-memory-'));
    const { kafkaBrokers, databaseUrl } = testStack();
    database = new Database({ url: databaseUrl, schema: schema.schema, entities: [], migrations: [], poolSize: 1 });
    const tenantsFile = join(folder, 'tenants.json');
    await writeFile(tenantsFile, JSON.stringify({ tenants: tenantsOf(platform.url).slice(0, 1) }));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    app = await startChildApp({
      name: 'file-gateway',
      args: FROM_SOURCES,
      cwd: join(import.meta.dirname, '..'),
      env: {
        KAFKA_BROKERS: kafkaBrokers,
        TOPIC_PREFIX: prefix,
        TOPIC_PARTITIONS: '1',
        DATABASE_URL: databaseUrl,
        DATABASE_SCHEMA: schema.schema,
        HTTP_PORT: String(port),
        OPERATIONS_TOKEN: TEST_OPERATIONS_TOKEN,
        TENANTS_FILE: tenantsFile,
        TEST_PLATFORM_PASSWORD: 'platform-password',
        TEST_UPLOAD_TOKEN: TOKEN,
        READ_BACK_MS: '50',
      },
      logFile: join(folder, 'app.log'),
      readyUrl: `${url}/health/ready`,
    });
    await database.connect();
  });

  afterAll(async () => {
    await app?.stop();
    await database.close();
    await platform.stop();
    await deleteTopics(testStack().kafkaBrokers, prefix);
    await schema.drop();
    await rm(folder, { recursive: true });
  });

  it('does not grow with their number, from their upload to the platform (rules 31, 32)', async () => {
    const few = await mostResidentOf(FEW);
    const many = await mostResidentOf(MANY);
    process.stderr.write(
      `Peak resident memory of file-gateway: ${few} MB for ${FEW}, ${many} MB for ${MANY} pictures\n`,
    );
    expect(many / few).toBeLessThanOrEqual(MOST_GROWTH);
  });

  /** Largest memory use of the app since its start, in megabytes, once so many pictures are published. */
  async function mostResidentOf(pictures: number): Promise<number> {
    const skus = Array.from({ length: pictures / PICTURES_PER_SKU }, () => `sku-${randomUUID()}`);
    for (const sku of skus)
      await database.query('INSERT INTO skus (tenant, external_reference) VALUES ($1, $2)', [TENANT, sku]);
    await someAtOnce(skus, UPLOADS_AT_ONCE, publish);
    for (const sku of skus) expect(platform.images.get(sku)).toHaveLength(PICTURES_PER_SKU);
    return Math.round(peakBytes(app.pid) / 1_000_000);
  }

  async function publish(skuExternalReference: string): Promise<void> {
    const images: object[] = [];
    for (let order = 1; order <= PICTURES_PER_SKU; order += 1) {
      images.push({ order, content: { uploadId: await upload() } });
    }
    const commandId = randomUUID();
    const command = { commandId, command: 'PublishSkuImages', skuExternalReference, images };
    const headers = { 'content-type': 'application/json' };
    await asOperator(`${url}/api/commands`, { method: 'POST', headers, body: JSON.stringify(command) });
    const ended = async () => {
      const shown = (await (await asOperator(`${url}/api/commands/${commandId}`)).json()) as {
        outcome?: string | null;
      };
      return shown.outcome ?? null;
    };
    expect(await waitFor(ended, { describe: `the outcome of ${skuExternalReference}` })).toBe('applied');
  }

  async function upload(): Promise<string> {
    const body = new Uint8Array(png(PICTURE_BYTES));
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${url}/uploads`, { method: 'POST', headers, body });
    return ((await response.json()) as { uploadId: string }).uploadId;
  }
});
