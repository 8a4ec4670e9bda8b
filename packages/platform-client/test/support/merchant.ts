import { randomUUID } from 'node:crypto';
import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import { PlatformClient, type PlatformClientOptions } from '../../src/platform-client.ts';
import { DEFAULT_WIRE_PROFILE } from '../../src/wire-profile.ts';

const PASSWORD = 'password-of-the-erp';
const POLICY = '6f1c0a4e-6f0e-4c3a-9b7e-0d5f4a1b2c3d';

export interface AdminOrder {
  readonly status: number;
  readonly totals: { readonly total: number };
  readonly invoice: { readonly number: string; readonly issuanceDate: string; readonly value: number } | null;
  readonly invoiceFile: { readonly contentType: string; readonly sha256: string } | null;
}

interface AdminProduct {
  readonly images: readonly { readonly sku: string; readonly order: number; readonly url: string }[];
}

/**
 * A merchant of the sandbox, which is an independent reading of the platform's document and shares no code with this
 * package. Each test has its own.
 */
export class Merchant {
  readonly sandbox: TestSandbox;
  readonly contractAccountId = randomUUID();

  private constructor(sandbox: TestSandbox) {
    this.sandbox = sandbox;
  }

  /** With one brand, one product with two SKUs (`4711-1` by weight, `4711-2` by the unit), and no webhook. */
  static async open(sandbox: TestSandbox): Promise<Merchant> {
    const merchant = new Merchant(sandbox);
    await merchant.#settle();
    return merchant;
  }

  /** Runs `use` with a new client, whose circuit breaker is closed. */
  async with<T>(use: (client: PlatformClient) => Promise<T>, options: Partial<PlatformClientOptions> = {}): Promise<T> {
    const client = new PlatformClient({
      tenant: 'acme',
      contractAccountId: this.contractAccountId,
      baseUrl: this.sandbox.url,
      coreBaseUrl: this.sandbox.url,
      username: 'erp-one',
      password: PASSWORD,
      coreApiKey: this.contractAccountId,
      concurrency: 4,
      profile: DEFAULT_WIRE_PROFILE,
      ...options,
    });
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  async #settle(): Promise<void> {
    const { contractAccountId } = this;
    await this.sandbox.open({ contractAccountId, username: 'erp-one', password: PASSWORD });
    await this.with(async (client) => {
      await client.sendRecords('postBrands', JSON.stringify([brand('queijaria')]));
      await client.sendRecords(
        'postProducts',
        JSON.stringify([product('4711', [sku('4711-1', 'Kg'), sku('4711-2', 'Un')])]),
      );
    });
    await this.sandbox.idle();
  }

  async buy(payment = 'approved'): Promise<{ number: string; id: string }> {
    const items = [{ skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 }];
    const body = { contractAccountId: this.contractAccountId, items, payment };
    const { number, id } = (await this.sandbox.admin('POST', '/orders', body)) as { number: number; id: string };
    return { number: String(number), id };
  }

  async order(number: string): Promise<AdminOrder> {
    return (await this.sandbox.admin('GET', `/orders/${number}`)) as AdminOrder;
  }

  /** Undefined if the shop has no such entity. */
  async shown(what: 'brands' | 'categories' | 'products', reference: string): Promise<unknown> {
    const path = `/${what}/${encodeURIComponent(reference)}?contractAccountId=${this.contractAccountId}`;
    return this.sandbox.admin('GET', path);
  }

  /** Number of prices, warehouses or stocks in the shop. */
  async records(entity: 'SKUPricing' | 'Warehouse' | 'WarehouseSKU'): Promise<number> {
    const path = `/records/${entity}?contractAccountId=${this.contractAccountId}`;
    return ((await this.sandbox.admin('GET', path)) as unknown[]).length;
  }

  /** Images of the product `4711`, as `<SKU> <order>`. */
  async images(): Promise<string[]> {
    const { images } = (await this.shown('products', '4711')) as AdminProduct;
    return images.map(({ sku: reference, order }) => `${reference} ${order}`);
  }
}

export function brand(externalReference: string): object {
  return { externalReference, name: 'Queijaria', title: 'Queijaria', description: 'Queijos', punctuation: 5 };
}

export function product(externalReference: string, skus: readonly object[] = []): object {
  return {
    externalReference,
    commercialPolicyId: POLICY,
    brandExternalReference: 'queijaria',
    name: 'Queijo Minas Frescal',
    slug: `queijo-${externalReference}`,
    title: 'Queijo Minas Frescal',
    shortDescription: 'Frescal',
    longDescription: 'Queijo minas frescal, peça',
    punctuation: 10,
    skus,
  };
}

function sku(externalReference: string, unitOfMeasurement: string): object {
  const measures = ['weight', 'height', 'width', 'length'].flatMap((name) => [
    [`${name}ForFreight`, 1] as const,
    [`${name}Real`, 1] as const,
  ]);
  return {
    externalReference,
    name: 'Queijo',
    ean: '7891000100103',
    reference: externalReference,
    unitOfMeasurement,
    arithmeticFactor: unitOfMeasurement === 'Kg' ? 0.1 : null,
    arrivalDate: '2026-01-31',
    manufacturerCode: 'QMF-1',
    ...Object.fromEntries(measures),
  };
}
