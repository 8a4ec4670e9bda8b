import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppProcess } from '@gondola/local-stack/testing/app-process';
import { callApi } from '@gondola/local-stack/testing/as-operator';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import { waitFor } from '@gondola/local-stack/wait-for';
import { TestInstallation } from '@gondola/messaging/testing/test-installation';
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
  let platform: ScriptedPlatform;
  let installation: TestInstallation;
  let app: AppProcess;

  beforeAll(async () => {
    platform = await ScriptedPlatform.start();
    platform.on.uploadImages = (request) => {
      platform.storeImages(request);
      // This process does not store the requests.
      platform.requests.length = 0;
      return { status: 200, json: { operationId: randomUUID() } };
    };
    const tenants = tenantsOf(platform.url).slice(0, 1);
    const env = { TOPIC_PARTITIONS: '1', LOG_LEVEL: 'info', TEST_UPLOAD_TOKEN: TOKEN, READ_BACK_MS: '50' };
    const options = { label: 'picture-memory', tenants, env };
    installation = await TestInstallation.create(options, () => platform.stop());
    app = await installation.startProcess(join(import.meta.dirname, '..'));
  });

  afterAll(() => installation.close());

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
    const known = 'INSERT INTO skus (tenant, external_reference) SELECT $1, unnest($2::text[])';
    await installation.query(known, [TENANT, skus]);
    await someAtOnce(skus, UPLOADS_AT_ONCE, publish);
    for (const sku of skus) expect(platform.images.get(sku)).toHaveLength(PICTURES_PER_SKU);
    const status = await readFile(`/proc/${app.pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_000);
  }

  async function publish(skuExternalReference: string): Promise<void> {
    const images: object[] = [];
    for (let order = 1; order <= PICTURES_PER_SKU; order += 1) {
      images.push({ order, content: { uploadId: await upload() } });
    }
    const commandId = randomUUID();
    const command = { commandId, command: 'PublishSkuImages', skuExternalReference, images };
    await callApi(app, '/api/commands', { method: 'POST', body: command });
    const ended = async () => {
      const { body: shown } = await callApi<{ outcome?: string | null }>(app, `/api/commands/${commandId}`);
      return shown.outcome ?? null;
    };
    expect(await waitFor(ended, { describe: `the outcome of ${skuExternalReference}` })).toBe('applied');
  }

  async function upload(): Promise<string> {
    const body = new Uint8Array(png(PICTURE_BYTES));
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${app.url}/uploads`, { method: 'POST', headers, body });
    return ((await response.json()) as { uploadId: string }).uploadId;
  }
});
