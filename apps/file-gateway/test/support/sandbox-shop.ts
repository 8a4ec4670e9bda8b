import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxProcess, type SandboxProcess } from '@gondola/local-stack/sandbox-process';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { PlatformClient } from '@gondola/platform-client/platform-client';
import { DEFAULT_WIRE_PROFILE } from '@gondola/platform-client/wire-profile';
import { FULL_PRODUCT, FULL_SKU } from '@gondola/shared/testing/catalog-samples';

/** Password of the integration API; `TEST_PLATFORM_PASSWORD` of an installation. */
const PASSWORD = 'not-a-secret-in-a-test';
export const SFTP_USER = 'imagens';
export const SFTP_PASSWORD = 'not-a-secret-either';

export interface SftpAddress {
  readonly port: number;
  readonly contractFolder: string;
  readonly hostKeyFingerprint: string;
}

interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

/** The platform sandbox with its SFTP server, as a separate process. */
export class SandboxShop {
  private constructor(
    private readonly process: SandboxProcess,
    private readonly schema: TestSchema,
    private readonly folder: string,
    readonly sftp: SftpAddress,
  ) {}

  static async open(label: string): Promise<SandboxShop> {
    const [schema, folder] = await Promise.all([createTestSchema(label), mkdtemp(join(tmpdir(), `gondola-${label}-`))]);
    const process = await startSandboxProcess({
      databaseUrl: schema.url,
      databaseSchema: schema.schema,
      logFile: join(folder, 'sandbox.log'),
      env: { LOG_LEVEL: 'fatal', SFTP_PORT: '0', SFTP_USERNAME: SFTP_USER, SFTP_PASSWORD },
    });
    const response = await fetch(`${process.url}/admin/sftp`);
    return new SandboxShop(process, schema, folder, (await response.json()) as SftpAddress);
  }

  get url(): string {
    return this.process.url;
  }

  async close(): Promise<void> {
    await this.process.stop();
    await this.schema.drop();
    await rm(this.folder, { recursive: true });
  }

  async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${this.url}/admin${path}`, { method, headers, body: sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /admin${path} was answered ${response.status}: ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  }

  /** Creates a merchant with these SKUs, each without a picture. */
  async sell(contractAccountId: string, ...skus: readonly string[]): Promise<void> {
    await this.admin('POST', '/tenants', { contractAccountId, username: 'erp-one', password: PASSWORD, apiKey: 'key' });
    const products = skus.map((reference, index) => ({
      ...FULL_PRODUCT,
      categoryExternalReference: undefined,
      externalReference: `p-${reference}`,
      slug: `p-${index}-${Buffer.from(reference).toString('hex')}`,
      skus: [{ ...FULL_SKU, externalReference: reference, reference }],
    }));
    await this.#with(contractAccountId, (client) => client.sendRecords('postProducts', JSON.stringify(products)));
    await this.admin('POST', '/idle', { timeoutMs: ANSWER_LIMIT_MS });
  }

  /** Contents of a SKU's pictures, in display order. */
  async pictures(contractAccountId: string, sku: string): Promise<Buffer[]> {
    const listed = await this.#with(contractAccountId, (client) => client.listFiles(sku, 1));
    if (listed.kind !== 'found') throw new Error(`The sandbox answered ${listed.kind}`);
    return Promise.all(listed.value.map(bytesAt));
  }

  /** Calls of the upload route for a SKU. */
  async uploads(sku: string): Promise<LoggedRequest[]> {
    const all = (await this.admin('GET', '/requests?after=0')) as LoggedRequest[];
    const isUpload = ({ path, query }: LoggedRequest) =>
      path === '/v1/Storages/image/upload' && JSON.stringify(query).includes(sku);
    return all.filter((request) => request.method === 'POST' && isUpload(request));
  }

  async fault(...faults: readonly object[]): Promise<void> {
    await this.admin(
      'POST',
      '/faults',
      faults.map((fault) => ({ times: 1, route: '^POST /v1/Storages/image/upload', ...fault })),
    );
  }

  async #with<T>(contractAccountId: string, use: (client: PlatformClient) => Promise<T>): Promise<T> {
    const profile = DEFAULT_WIRE_PROFILE;
    const access = { contractAccountId, baseUrl: this.url, coreBaseUrl: this.url, username: 'erp-one' };
    const client = new PlatformClient({ tenant: 'shop', ...access, password: PASSWORD, concurrency: 1, profile });
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }
}

async function bytesAt(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
