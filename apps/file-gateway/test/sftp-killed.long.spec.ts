import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { png } from './support/contents.ts';
import { resultsAfterDeath } from './support/killed-worker.ts';
import type { FileWorkerOptions } from './support/lone-worker.ts';
import type { Death } from './support/mortal-platform.ts';
import { SandboxShop, SFTP_USER } from './support/sandbox-shop.ts';

const AT_ONCE = 4;
const STEPS = [
  'the file list is read',
  'the first file is written',
  'the first file is renamed',
  'the second file is written',
  'the second file is renamed',
  'the files are linked',
  'the file list is read again',
];
const DEATHS = STEPS.flatMap((step, index) =>
  (['before', 'after'] as const).map((when) => ({ step, death: { call: index + 1, when } satisfies Death })),
);
const CASES = DEATHS.map((each, index) => ({
  ...each,
  tenant: `t${index}`,
  contractAccountId: `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`,
  contents: [png(), png(100_000)],
}));

/**
 * Each case has its own merchant in the real sandbox, its own victim and its own survivor; some run in parallel.
 */
describe('a worker that is killed while images go by SFTP', () => {
  let shop: SandboxShop;
  let schema: TestSchema;
  let folder: string;
  let base: Omit<FileWorkerOptions, 'tenant' | 'death'>;
  const ends = new Map<string, Record<string, unknown>[]>();

  beforeAll(async () => {
    [shop, schema, folder] = await Promise.all([
      SandboxShop.open('sftp-killed-shop'),
      createTestSchema('sftp-killed'),
      mkdtemp(join(tmpdir(), 'gondola-sftp-killed-')),
    ]);
    const tenantsFile = await writeTenants();
    const url = testStack().databaseUrl;
    base = { url, schema: schema.schema, tenantsFile, imageRequestMaxBytes: 1_000_000 };
    await someAtOnce(CASES, AT_ONCE, live);
  });

  afterAll(async () => {
    await shop?.close();
    await schema?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function writeTenants(): Promise<string> {
    const file = join(folder, 'tenants.json');
    const { port, contractFolder, hostKeyFingerprint } = shop.sftp;
    const tenants = CASES.map(({ tenant: id, contractAccountId }) => ({
      id,
      contractAccountId,
      platform: { baseUrl: shop.sandbox.url, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } },
      sftp: {
        host: '127.0.0.1',
        port,
        username: SFTP_USER,
        password: { env: 'TEST_SFTP_PASSWORD' },
        hostKeys: [hostKeyFingerprint],
        contractFolder,
      },
    }));
    await writeFile(file, JSON.stringify({ tenants }));
    return file;
  }

  /** The victim is killed and the survivor takes over. */
  async function live({ tenant, contractAccountId, death, contents }: (typeof CASES)[number]): Promise<void> {
    await shop.sell(contractAccountId, tenant);
    const results = await resultsAfterDeath({ ...base, tenant, death }, async (survivor) => {
      await survivor.knowSku(tenant);
      const ids = await Promise.all(contents.map((content) => survivor.upload(content)));
      const images = ids.map((uploadId, index) => ({ order: index + 1, content: { uploadId } }));
      const about = { skuExternalReference: tenant, images };
      await survivor.storeCommand({ commandId: 'c-1', command: 'PublishSkuImages', ...about });
    });
    ends.set(tenant, results);
  }

  it.each(CASES)(
    '$death.when $step leaves one outcome, and each image once and in its order (rules 16, 34)',
    async ({ tenant, contractAccountId, contents }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', evidence: 'read-back', commandId: 'c-1' }]);
      expect(await shop.pictures(contractAccountId, tenant)).toEqual(contents);
    },
  );
});
