// The shop's side of the demo, seen from outside: the platform's own routes and the sandbox's admin API.
import type { OrderTotals } from '../erp/erp.ts';
import { OperationsApi } from './operations-api.ts';

export interface ShopOrder {
  number: number;
  status: number;
  items: { skuExternalReference: string; orderedQuantity: number; total: number }[];
  totals: Record<keyof OrderTotals, number>;
  /** `value` in cents. */
  invoice: { number: string; value: number } | null;
  invoiceFile: unknown;
}

/** A SKU as the shelf shows it, with its stock by store; amounts in currency units. */
export interface ShelfSku {
  readonly price: number | null;
  readonly promotionalPrice: number | null;
  readonly stock: ReadonlyMap<string, number>;
}

export interface Basket {
  /** Without `unitPrice` the shopper pays the price of the shelf. */
  items: { skuExternalReference: string; quantity: number; unitPrice?: number }[];
  deliveryType: 'scheduled' | 'express' | 'pickup';
  /** Hours of a scheduled delivery, `22:00`. */
  window?: { readonly start: string; readonly end: string };
  payment: 'approved' | 'refused' | 'pending';
  freight?: number;
}

/** A fault of the sandbox (contract: Sandbox). */
export interface Fault {
  kind: string;
  route?: string;
  event?: string;
  times?: number;
  share?: number;
  seed?: number;
  ms?: number;
  status?: number;
  retryAfter?: number;
  path?: string;
}

export interface ShopCredentials {
  contractAccountId: string;
  username: string;
  password: string;
  apiKey: string;
}

interface ShownSku extends Pick<ShelfSku, 'price' | 'promotionalPrice'> {
  readonly externalReference: string;
  readonly id: string;
}

/** More products than the demo has. */
const SHELF_LIMIT = 1_000;

export class SandboxClient {
  private readonly baseUrl: string;
  private readonly credentials: ShopCredentials;
  private readonly admin: OperationsApi;

  constructor(baseUrl: string, credentials: ShopCredentials, operationsToken: string) {
    this.baseUrl = baseUrl;
    this.credentials = credentials;
    this.admin = new OperationsApi(baseUrl, operationsToken);
  }

  /** Registers the merchant with the sandbox; an existing merchant stays unchanged. */
  async openShop(): Promise<void> {
    await this.admin.call('POST', '/admin/tenants', this.credentials);
  }

  async loadProduct(product: Record<string, unknown>): Promise<void> {
    const answer = await this.platform('POST', '/v1/batch/Products', [product]);
    if (answer.status !== 200) throw new Error(`POST /v1/batch/Products answered ${answer.status}`);
  }

  async hasProduct(reference: string): Promise<boolean> {
    const answer = await this.platform('GET', `/v1/batch/Products/${encodeURIComponent(reference)}`);
    await answer.arrayBuffer();
    return answer.status === 200;
  }

  async playOrder(basket: Basket): Promise<{ number: number }> {
    const { contractAccountId } = this.credentials;
    return this.admin.call<{ number: number }>('POST', '/admin/orders', { contractAccountId, ...basket });
  }

  /** Replaces the merchant's webhook by the same one with another token, which no route of the platform does. */
  async registerAnew(authToken: string): Promise<void> {
    const tenants = await this.admin.call<{ contractAccountId: string; webhook: Record<string, unknown> }[]>(
      'GET',
      '/admin/tenants',
    );
    const own = tenants.find(({ contractAccountId }) => contractAccountId === this.credentials.contractAccountId);
    await this.admin.call('POST', '/admin/reset', { parts: ['webhooks'] });
    const answer = await this.platform('POST', '/v1/Webhooks', { ...own?.webhook, authToken });
    if (answer.status !== 200) throw new Error(`POST /v1/Webhooks answered ${answer.status}`);
  }

  /** Images of a product's SKUs, main one first. */
  async imagesOf(reference: string): Promise<{ sku: string; order: number }[]> {
    const path = `/admin/products/${encodeURIComponent(reference)}`;
    return (await this.admin.call<{ images: { sku: string; order: number }[] }>('GET', path)).images;
  }

  /** The shelf by its SKUs. */
  async shelf(): Promise<ReadonlyMap<string, ShelfSku>> {
    const [products, stocks] = await Promise.all([
      this.admin.call<{ skus: ShownSku[] }[]>('GET', `/admin/products?limit=${SHELF_LIMIT}`),
      this.admin.call<{ skuId: string; warehouseId: string; quantity: number }[]>('GET', '/admin/records/WarehouseSKU'),
    ]);
    const ofSku = Map.groupBy(stocks, ({ skuId }) => skuId);
    const shelfSku = ({ id, price, promotionalPrice }: ShownSku): ShelfSku => {
      const stock = new Map((ofSku.get(id) ?? []).map(({ warehouseId, quantity }) => [warehouseId, quantity]));
      return { price, promotionalPrice, stock };
    };
    return new Map(products.flatMap(({ skus }) => skus.map((sku) => [sku.externalReference, shelfSku(sku)] as const)));
  }

  async bend(...faults: Fault[]): Promise<void> {
    await this.admin.call('POST', '/admin/faults', faults);
  }

  /** The faults that are set, and how often each struck. */
  async faults(): Promise<{ fault: Fault; struck: number }[]> {
    return this.admin.call<{ fault: Fault; struck: number }[]>('GET', '/admin/faults');
  }

  async straighten(): Promise<void> {
    await this.admin.call('DELETE', '/admin/faults');
  }

  async order(number: number): Promise<ShopOrder> {
    return this.admin.call<ShopOrder>('GET', `/admin/orders/${number}`);
  }

  async moveOrder(number: number, status: number): Promise<void> {
    await this.admin.call('POST', `/admin/orders/${number}/status`, { status });
  }

  /** Changes items and price of an order by the platform's route, as another program of the merchant would. */
  async changeOrder(number: number, body: object): Promise<void> {
    const answer = await this.platform('PUT', `/v1/Orders/${number}`, body);
    if (answer.status !== 200) throw new Error(`PUT /v1/Orders/${number} answered ${answer.status}`);
  }

  /** Reads of orders, oldest first, as far as the sandbox stores them. */
  async readsOfOrders(): Promise<{ at: string; path: string }[]> {
    const reads = await this.log<{ seq: number; at: string; method: string; path: string }>('requests');
    return reads.filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/Orders/'));
  }

  /** Accepted calls that changed orders, as `METHOD path body`, oldest first, as far as the sandbox stores them. */
  async changesOfOrders(): Promise<string[]> {
    const calls = await this.log<{ seq: number; method: string; path: string; status: number; body: unknown }>(
      'requests',
    );
    return calls
      .filter(({ method, path, status }) => method !== 'GET' && path.startsWith('/v1/Orders/') && status < 300)
      .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);
  }

  /** Number of webhooks that the receiver accepted after it had accepted the same one before. */
  async webhooksAcceptedAgain(): Promise<number> {
    const attempts = await this.log<{ seq: number; answer: number | null; bodyBase64: string }>('deliveries');
    const accepted = attempts.filter(({ answer }) => answer === 200).map(({ bodyBase64 }) => bodyBase64);
    return accepted.length - new Set(accepted).size;
  }

  /**
   * Stops or resumes the delivery of webhooks, because a webhook to a dead receiver is lost after three attempts.
   */
  async pauseSender(paused: boolean): Promise<void> {
    await this.admin.call('POST', '/admin/sender', { paused });
  }

  async waitUntilQuiet(timeoutMs: number): Promise<void> {
    await this.admin.call('POST', '/admin/idle', { timeoutMs });
  }

  /** A log of the sandbox, oldest entry first, as far as it is stored. */
  private async log<Entry extends { seq: number }>(name: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (;;) {
      const after = entries.at(-1)?.seq ?? 0;
      const page = await this.admin.call<Entry[]>('GET', `/admin/${name}?after=${after}`);
      if (page.length === 0) return entries;
      entries.push(...page);
    }
  }

  private platform(method: string, path: string, body?: unknown): Promise<Response> {
    const { username, password, contractAccountId } = this.credentials;
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'x-contractaccountid': contractAccountId,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}
