import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
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
    readonly sandbox: TestSandbox,
    readonly sftp: SftpAddress,
  ) {}

  static async open(label: string): Promise<SandboxShop> {
    const env = { LOG_LEVEL: 'fatal', SFTP_PORT: '0', SFTP_USERNAME: SFTP_USER, SFTP_PASSWORD };
    const sandbox = await TestSandbox.start(label, env);
    return new SandboxShop(sandbox, (await sandbox.admin('GET', '/sftp')) as SftpAddress);
  }

  async close(): Promise<void> {
    await this.sandbox.close();
  }

  /** Creates a merchant with these SKUs, each without a picture. */
  async sell(contractAccountId: string, ...skus: readonly string[]): Promise<void> {
    await this.sandbox.admin('POST', '/tenants', {
      contractAccountId,
      username: 'erp-one',
      password: PASSWORD,
      apiKey: 'key',
    });
    const products = skus.map((reference, index) => ({
      ...FULL_PRODUCT,
      categoryExternalReference: undefined,
      externalReference: `p-${reference}`,
      slug: `p-${index}-${Buffer.from(reference).toString('hex')}`,
      skus: [{ ...FULL_SKU, externalReference: reference, reference }],
    }));
    await this.#with(contractAccountId, (client) => client.sendRecords('postProducts', JSON.stringify(products)));
    await this.sandbox.idle();
  }

  /** Contents of a SKU's pictures, in display order. */
  async pictures(contractAccountId: string, sku: string): Promise<Buffer[]> {
    const listed = await this.#with(contractAccountId, (client) => client.listFiles(sku, 1));
    if (listed.kind !== 'found') throw new Error(`The sandbox answered ${listed.kind}`);
    return Promise.all(listed.value.map(bytesAt));
  }

  /** Calls of the upload route for a SKU. */
  async uploads(sku: string): Promise<LoggedRequest[]> {
    const all = (await this.sandbox.admin('GET', '/requests?after=0')) as LoggedRequest[];
    const isUpload = ({ path, query }: LoggedRequest) =>
      path === '/v1/Storages/image/upload' && JSON.stringify(query).includes(sku);
    return all.filter((request) => request.method === 'POST' && isUpload(request));
  }

  /** Strikes uploads of pictures. */
  async fault(...faults: readonly object[]): Promise<void> {
    const route = '^POST /v1/Storages/image/upload';
    await this.sandbox.fault(...faults.map((fault) => ({ route, ...fault })));
  }

  async #with<T>(contractAccountId: string, use: (client: PlatformClient) => Promise<T>): Promise<T> {
    const profile = DEFAULT_WIRE_PROFILE;
    const access = { contractAccountId, baseUrl: this.sandbox.url, coreBaseUrl: this.sandbox.url, username: 'erp-one' };
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
