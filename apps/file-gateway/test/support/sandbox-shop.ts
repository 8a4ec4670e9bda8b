import { type SandboxMerchant, TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
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
    const merchant = merchantOf(contractAccountId);
    await this.sandbox.open(merchant);
    const products = skus.map((reference, index) => ({
      ...FULL_PRODUCT,
      categoryExternalReference: undefined,
      externalReference: `p-${reference}`,
      slug: `p-${index}-${Buffer.from(reference).toString('hex')}`,
      skus: [{ ...FULL_SKU, externalReference: reference, reference }],
    }));
    await this.sandbox.call(merchant, 'POST', '/v1/batch/Products', products);
    await this.sandbox.idle();
  }

  /** Contents of a SKU's pictures, in display order. */
  async pictures(contractAccountId: string, sku: string): Promise<Buffer[]> {
    const path = `/v1/Storages/file/${encodeURIComponent(sku)}/${FILE_TYPES.SKU}`;
    const listed = await this.sandbox.call(merchantOf(contractAccountId), 'GET', path);
    return Promise.all(((await listed.json()) as string[]).map(bytesAt));
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
}

function merchantOf(contractAccountId: string): SandboxMerchant {
  return { contractAccountId, username: 'erp-one', password: PASSWORD };
}

async function bytesAt(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
