import { reply, TestServer } from '@gondola/local-stack/testing/test-server';
import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import type { NotificationParts } from '@gondola/shared/testing/notification';

/** A merchant of the sandbox, as a tenant of a test has it. */
export interface SandboxMerchant {
  readonly tenant: string;
  readonly contractAccountId: string;
  readonly username: string;
  readonly password: string;
}

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
  async open(merchant: SandboxMerchant): Promise<void> {
    const { tenant, contractAccountId, username, password } = merchant;
    this.#merchants.set(tenant, merchant);
    await this.sandbox.admin('POST', '/tenants', { contractAccountId, username, password, apiKey: `key-of-${tenant}` });
    const registration = {
      originType: 'Api_call',
      originData: 'a test',
      url: `${this.receiver.url}/${tenant}`,
      eventTypes: EVENT_TYPES,
    };
    const response = await this.#call(merchant, 'POST', '/v1/Webhooks', registration);
    if (!response.ok) throw new Error(`The webhook was answered ${response.status}: ${await response.text()}`);
  }

  /** A product's read model; null: the shop has none. */
  async product(tenant: string, reference: string): Promise<Record<string, unknown> | null> {
    const path = `/v1/batch/Products/${encodeURIComponent(reference)}`;
    const response = await this.#call(this.#merchants.get(tenant)!, 'GET', path);
    return response.status === 404 ? null : ((await response.json()) as Record<string, unknown>);
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await this.receiver.stop();
  }

  #call(merchant: SandboxMerchant, method: string, path: string, body?: unknown): Promise<Response> {
    const { contractAccountId, username, password } = merchant;
    const headers = {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'x-contractAccountId': contractAccountId,
      'content-type': 'application/json',
    };
    return fetch(`${this.sandbox.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}
