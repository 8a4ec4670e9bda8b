import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { spawnKept } from '@gondola/local-stack/process-keeper';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { png } from './support/contents.ts';
import type { LoneWorkerOptions } from './support/lone-worker.ts';
import type { Death } from './support/mortal-platform.ts';
import { openLoneWorker } from './support/natively.ts';
import { SandboxShop, SFTP_USER } from './support/sandbox-shop.ts';

const MAIN = fileURLToPath(new URL('./support/lone-worker.main.ts', import.meta.url));
const SIDE_BY_SIDE = 4;
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

/** Each case has a merchant of the real sandbox, a victim and a survivor of its own; some run side by side. */
describe('a worker that is killed while images go by SFTP', () => {
  let shop: SandboxShop;
  let schema: TestSchema;
  let folder: string;
  let base: Omit<LoneWorkerOptions, 'tenant' | 'death'>;
  const ends = new Map<string, Record<string, unknown>[]>();

  beforeAll(async () => {
    [shop, schema, folder] = await Promise.all([
      SandboxShop.open('sftp-killed-shop'),
      createTestSchema('sftp-killed'),
      mkdtemp(join(tmpdir(), 'gondola-sftp-killed-')),
    ]);
    const tenantsFile = await writeTenants();
    const url = testStack().databaseUrl;
    base = { url, schema: schema.schema, tenantsFile, leaseMs: 1_000, imageRequestMaxBytes: 1_000_000 };
    const waiting = [...CASES];
    const liveInTurn = async (): Promise<void> => {
      for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await live(each);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, liveInTurn));
  }, 300_000);

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
      platform: { baseUrl: shop.url, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } },
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

  /** The victim ends, the survivor takes over. */
  async function live({ tenant, contractAccountId, death, contents }: (typeof CASES)[number]): Promise<void> {
    await shop.sell(contractAccountId, tenant);
    const survivor = await openLoneWorker({ ...base, tenant, death: null });
    await survivor.database.connect();
    try {
      await survivor.knowSku(tenant);
      const ids = await Promise.all(contents.map((content) => survivor.upload(content)));
      const images = ids.map((uploadId, index) => ({ order: index + 1, content: { uploadId } }));
      const about = { skuExternalReference: tenant, images };
      await survivor.storeCommand({ commandId: 'c-1', command: 'PublishSkuImages', ...about });
      const logFile = join(folder, `${tenant}.log`);
      const args = [...SOURCES, MAIN, JSON.stringify({ ...base, tenant, death })];
      const victim = await spawnKept({ command: process.execPath, args, cwd: folder, env: hostEnvironment(), logFile });
      const { signal } = await victim.exited;
      if (signal !== 'SIGKILL') throw new Error(`The victim ended by itself: ${await readFile(logFile, 'utf8')}`);
      await survivor.startLanes();
      const published = async () => {
        const results = await survivor.published();
        return results.length > 0 && results;
      };
      ends.set(tenant, await waitFor(published, { describe: `the result of ${tenant}` }));
    } finally {
      await survivor.stop();
    }
  }

  it.each(CASES)(
    '$death.when $step leaves one outcome, and each image once and in its order (rules 16, 34)',
    async ({ tenant, contractAccountId, contents }) => {
      expect(ends.get(tenant)).toMatchObject([{ outcome: 'applied', evidence: 'read-back', commandId: 'c-1' }]);
      expect(await shop.pictures(contractAccountId, tenant)).toEqual(contents);
    },
  );
});
