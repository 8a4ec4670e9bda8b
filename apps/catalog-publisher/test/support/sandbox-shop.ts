import { reply, TestServer } from '@gondola/local-stack/testing/test-server';
import { type SandboxMerchant, TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import type { NotificationParts } from '@gondola/shared/testing/notification';

const EVENT_TYPES = [
  ...['Created', 'Updated', 'CreationFailed', 'UpdateFailed', 'PartiallyFailed'].map((end) => `ProductWithSKUs_${end}`),
  ...['Brand', 'Category', 'SKUPricing', 'Warehouse', 'WarehouseSKU'].map((entity) => `${entity}_CreationFailed`),
  'Operation_Failed',
];

/** More deliveries at a time, so that the sandbox stores more of them in one statement. */
const ENV = { WEBHOOK_CONCURRENCY: '32' };

/** The platform sandbox as a process, whose deliveries a test takes the way webhook-ingest does. */
export class SandboxShop {
  readonly #merchants = new Map<string, SandboxMerchant>();

  private constructor(
    readonly sandbox: TestSandbox,
    private readonly receiver: TestServer,
  ) {}

  /** @param notify is called for each delivery, before it is answered */
  static async start(
    label: string,
    notify: (tenant: string, parts: NotificationParts) => Promise<void>,
  ): Promise<SandboxShop> {
    const sandbox = await TestSandbox.start(label, ENV);
    const receiver = await TestServer.start(async ({ path, body }, response) => {
      await notify(path.slice(1), JSON.parse(body.toString('utf8')) as NotificationParts);
      reply(response, { status: 200 });
    });
    return new SandboxShop(sandbox, receiver);
  }

  /** Opens a shop, and registers its webhook. */
  async open({ tenant, ...merchant }: SandboxMerchant & { readonly tenant: string }): Promise<void> {
    this.#merchants.set(tenant, merchant);
    await this.sandbox.open(merchant);
    const registration = {
      originType: 'Api_call',
      originData: 'a test',
      url: `${this.receiver.url}/${tenant}`,
      eventTypes: EVENT_TYPES,
    };
    await this.sandbox.call(merchant, 'POST', '/v1/Webhooks', registration);
  }

  /** A product's read model; null: the shop has none. */
  async product(tenant: string, reference: string): Promise<Record<string, unknown> | null> {
    const path = `/v1/batch/Products/${encodeURIComponent(reference)}`;
    const response = await this.sandbox.call(this.#merchants.get(tenant)!, 'GET', path);
    return response.status === 404 ? null : ((await response.json()) as Record<string, unknown>);
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await this.receiver.stop();
  }
}
