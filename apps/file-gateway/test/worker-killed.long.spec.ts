import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EvasiveReads } from '@gondola/local-stack/testing/evasive-reads';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invoicePdf, pdf, png } from './support/contents.ts';
import { resultsAfterDeath } from './support/killed-worker.ts';
import type { FileWorkerOptions, LoneFileWorker } from './support/lone-worker.ts';
import type { Death } from './support/mortal-platform.ts';
import { ScriptedPlatform } from './support/scripted-platform.ts';

const REQUEST_MAX_BYTES = 2_800;
const GUID = '0b000000-0000-4000-8000-000000000001';

/**
 * Calls: read, send, read. Images take two requests, and the reading after the first is the one before the second; an
 * empty list is read twice before the first.
 */
const PDF_CALLS = 3;
const IMAGE_CALLS = 6;
const AT_ONCE = 4;
const aroundEach = (calls: number): Death[] =>
  Array.from({ length: calls }, (_, index) => index + 1).flatMap((call): Death[] => [
    { call, when: 'before' },
    { call, when: 'after' },
  ]);
const DEATHS = [
  ...aroundEach(PDF_CALLS).map((death) => ({ kind: 'pdf' as const, death })),
  // Around the upload that replaces a file which somebody else attached.
  ...aroundEach(PDF_CALLS)
    .filter(({ call }) => call === 2)
    .map((death) => ({ kind: 'replacing' as const, death })),
  ...aroundEach(IMAGE_CALLS).map((death) => ({ kind: 'images' as const, death })),
  // Calls: read, send, read, remove, read.
  ...aroundEach(5).map((death) => ({ kind: 'replacing images' as const, death })),
  // Calls: read, send, read twice; no reading shows all files of an entity.
  ...aroundEach(4).map((death) => ({ kind: 'removal' as const, death })),
  ...aroundEach(1).map((death) => ({ kind: 'removal of all' as const, death })),
  ...aroundEach(4).map((death) => ({ kind: 'undoing' as const, death })),
  ...aroundEach(1).map((death) => ({ kind: 'listing' as const, death })),
  // Calls: find the order, read.
  ...aroundEach(2).map((death) => ({ kind: 'reading' as const, death })),
  // Steps: the first content is stored and recorded, then the second; both are decoded.
  ...aroundEach(6).map((death) => ({ kind: 'fetched images' as const, death: { ...death, of: 'content' as const } })),
  ...aroundEach(3).map((death) => ({ kind: 'checking' as const, death: { ...death, of: 'content' as const } })),
];
const CASES = DEATHS.map((each, index) => ({ ...each, tenant: `t${index}` }));

/**
 * A process may end at any point; its unfinished work must neither be lost nor blindly repeated. Each case has its
 * own tenant, victim and survivor; some run in parallel.
 */
describe('a worker that is killed around one of its calls', () => {
  let platform: ScriptedPlatform;
  let schema: TestSchema;
  let folder: string;
  let base: Omit<FileWorkerOptions, 'tenant' | 'death'>;
  const ends = new Map<string, Record<string, unknown>[]>();

  beforeAll(async () => {
    platform = await ScriptedPlatform.start();
    platform.evasive = new EvasiveReads();
    schema = await createTestSchema('file-worker-killed');
    folder = await mkdtemp(join(tmpdir(), 'gondola-killed-'));
    const tenantsFile = await writeTenants(folder, platform.url);
    const url = testStack().databaseUrl;
    const filesRoot = join(folder, 'files');
    base = { url, schema: schema.schema, tenantsFile, filesRoot, imageRequestMaxBytes: REQUEST_MAX_BYTES };
    await someAtOnce(CASES, AT_ONCE, live);
  });

  afterAll(async () => {
    await platform.stop();
    await schema.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The victim is killed and the survivor takes over. */
  async function live({ tenant, kind, death }: (typeof CASES)[number]): Promise<void> {
    const results = await resultsAfterDeath({ ...base, tenant, death }, async (survivor) => {
      if (kind === 'replacing') platform.invoices.set(orderIdOf(tenant), [{ name: '', type: '', bytes: pdf() }]);
      await storeFiles(tenant);
      await ASK[kind](survivor, tenant, platform);
    });
    ends.set(tenant, results);
  }

  /** Stores files for contents by path. */
  async function storeFiles(tenant: string): Promise<void> {
    const own = join(folder, 'files', tenant);
    await mkdir(own, { recursive: true });
    await Promise.all([writeFile(join(own, '1.png'), png()), writeFile(join(own, '2.png'), png())]);
    await writeFile(join(own, 'danfe.pdf'), invoicePdf());
  }

  it.each(CASES.filter(({ kind }) => kind === 'fetched images'))(
    '$death.when step $death.call of fetching and decoding leaves one outcome, and each image once and in its order (rules 31, 32)',
    async ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', commandId: 'c-1' }]);
      const sent = platform.requestsOf(`sku-${tenant}`, 'POST');
      expect(sent.map(({ orders }) => orders)).toEqual([['1', '2']]);
      const paths = ['1.png', '2.png'].map((name) => join(folder, 'files', tenant, name));
      expect(sent[0]?.files.map(({ bytes }) => bytes)).toEqual(await Promise.all(paths.map((path) => readFile(path))));
    },
  );

  it.each(CASES.filter(({ kind }) => kind === 'checking' || kind === 'listing' || kind === 'reading'))(
    '$death.when step $death.call of a $kind leaves one outcome, and changes nothing (rules 33, 35)',
    ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', data: expect.anything() }]);
    },
  );

  it.each(CASES.filter(({ kind }) => kind === 'pdf'))(
    '$death.when call $death.call of a PDF leaves one outcome and one PDF (rules 15, 16)',
    ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', commandId: 'c-1/pdf' }]);
      expect(platform.invoices.get(orderIdOf(tenant))).toHaveLength(1);
    },
  );

  it.each(CASES.filter(({ kind }) => kind === 'replacing'))(
    '$death.when call $death.call of a PDF in place of another leaves one outcome and replaces it once (rules 15, 16)',
    ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', evidence: 'read-back', commandId: 'c-1/pdf' }]);
      expect(platform.invoices.get(orderIdOf(tenant))).toHaveLength(2);
    },
  );

  it.each(CASES.filter(({ kind }) => kind === 'images'))(
    '$death.when call $death.call of images leaves one outcome, and each image once and in its order (rules 16, 32)',
    ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', commandId: 'c-1' }]);
      const sent = platform.requestsOf(`sku-${tenant}`, 'POST').map(({ orders }) => orders);
      expect(sent).toEqual([['1', '2'], ['3']]);
      expect(platform.images.get(`sku-${tenant}`)).toHaveLength(3);
    },
  );

  it.each(CASES.filter(({ kind }) => kind === 'replacing images'))(
    '$death.when call $death.call of images that replace others leaves one outcome, and those images (rules 16, 32)',
    ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', commandId: 'c-1' }]);
      const [only, ...others] = platform.images.get(`sku-${tenant}`) ?? [];
      expect(only).toContain(`sku-${tenant}_1_`);
      expect(others).toEqual([]);
    },
  );

  it.each(CASES.filter(({ kind }) => kind === 'removal' || kind === 'undoing'))(
    '$death.when call $death.call of a $kind leaves one outcome, and removes what it names (rules 16, 35)',
    ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', evidence: 'read-back', commandId: 'c-1' }]);
      expect(platform.images.get(`sku-${tenant}`)).toEqual(['kept']);
    },
  );

  it.each(CASES.filter(({ kind }) => kind === 'removal of all'))(
    '$death.when the call of a removal of all files leaves one outcome (rules 16, 35)',
    ({ tenant }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', evidence: 'presumed', commandId: 'c-1' }]);
    },
  );
});

const orderIdOf = (tenant: string): string => GUID.replace('0b000000', tenant.padStart(8, '0').replace('t', 'a'));

const ASK = {
  pdf: askForPdf,
  replacing: askForPdf,
  images: askForImages,
  'replacing images': askForReplacement,
  removal: askForRemoval,
  'removal of all': askForRemovalOfAll,
  undoing: askForUndoing,
  listing: askForList,
  reading: askForReading,
  'fetched images': askForFetchedImages,
  checking: askForCheck,
};

async function askForPdf(worker: LoneFileWorker, tenant: string): Promise<void> {
  await worker.storeCommand({
    commandId: 'c-1/pdf',
    command: 'UploadInvoicePdf',
    orderNumber: 1,
    orderId: orderIdOf(tenant),
    content: { uploadId: await worker.upload(pdf()) },
    parentCommandId: 'c-1',
  });
}

async function askForImages(worker: LoneFileWorker, tenant: string): Promise<void> {
  const sku = `sku-${tenant}`;
  await worker.knowSku(sku);
  const ids = await Promise.all([png(), png(), png()].map((content) => worker.upload(content)));
  const images = ids.map((uploadId, index) => ({ order: index + 1, content: { uploadId } }));
  await worker.storeCommand({ commandId: 'c-1', command: 'PublishSkuImages', skuExternalReference: sku, images });
}

async function askForReplacement(worker: LoneFileWorker, tenant: string, platform: ScriptedPlatform): Promise<void> {
  const skuExternalReference = `sku-${tenant}`;
  await worker.knowSku(skuExternalReference);
  platform.images.set(skuExternalReference, ['old-1', 'old-2']);
  const images = [{ order: 1, content: { uploadId: await worker.upload(png()) } }];
  const about = { skuExternalReference, images, replace: true };
  await worker.storeCommand({ commandId: 'c-1', command: 'PublishSkuImages', ...about });
}

async function askForRemoval(worker: LoneFileWorker, tenant: string, platform: ScriptedPlatform): Promise<void> {
  const externalReference = `sku-${tenant}`;
  platform.images.set(externalReference, ['kept', 'old']);
  const about = { externalReference, fileType: 'SKU', urls: ['old'] };
  await worker.storeCommand({ commandId: 'c-1', command: 'RemoveFiles', ...about });
}

async function askForRemovalOfAll(worker: LoneFileWorker, tenant: string): Promise<void> {
  await worker.storeCommand({
    commandId: 'c-1',
    command: 'RemoveAllFiles',
    entityId: orderIdOf(tenant),
    confirm: true,
  });
}

async function askForList(worker: LoneFileWorker): Promise<void> {
  const about = { externalReference: 'sku', fileType: 'SKU' };
  await worker.storeCommand({ commandId: 'c-1', command: 'ListFiles', ...about });
}

async function askForReading(worker: LoneFileWorker, tenant: string, platform: ScriptedPlatform): Promise<void> {
  platform.on.payload = () => ({ status: 200, json: { id: orderIdOf('t0'), number: 1 } });
  platform.invoices.set(orderIdOf('t0'), [{ name: '', type: '', bytes: pdf() }]);
  await worker.storeCommand({ commandId: 'c-1', command: 'ReadInvoice', orderNumber: 1 });
}

async function askForFetchedImages(worker: LoneFileWorker, tenant: string): Promise<void> {
  const skuExternalReference = `sku-${tenant}`;
  await worker.knowSku(skuExternalReference);
  const images = [1, 2].map((order) => ({ order, content: { path: `${order}.png` } }));
  await worker.storeCommand({ commandId: 'c-1', command: 'PublishSkuImages', skuExternalReference, images });
}

async function askForCheck(worker: LoneFileWorker): Promise<void> {
  const about = { orderNumber: 1, content: { path: 'danfe.pdf' }, parentCommandId: 'c-1' };
  await worker.storeCommand({ commandId: 'c-1/chk', command: 'CheckInvoicePdf', ...about });
}

async function askForUndoing(worker: LoneFileWorker, tenant: string, platform: ScriptedPlatform): Promise<void> {
  const skuExternalReference = `sku-${tenant}`;
  platform.images.set(skuExternalReference, ['kept', 'brought']);
  await worker.rememberUpload(skuExternalReference, 'c-0', await worker.upload(png()), ['brought']);
  await worker.storeCommand({ commandId: 'c-1', command: 'UndoImageUpload', skuExternalReference, undoes: 'c-0' });
}

async function writeTenants(folder: string, baseUrl: string): Promise<string> {
  const file = join(folder, 'tenants.json');
  const platform = { baseUrl, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } };
  const tenants = CASES.map(({ tenant }, index) => ({
    id: tenant,
    contractAccountId: `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`,
    platform,
    deadlines: { settleMs: 500 },
  }));
  await writeFile(file, JSON.stringify({ tenants }));
  return file;
}
