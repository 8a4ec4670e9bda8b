import type { TopicName } from '@gondola/shared/topics/topics';
import { CatalogInstallation } from './catalog-app.ts';
import { SandboxShop } from './sandbox-shop.ts';

export const TENANTS = ['calm', 'shaken'] as const;
export type Tenant = (typeof TENANTS)[number];

/** A record with its id. */
export type Sent = Record<string, unknown> & { readonly recordId: string };

const REPLICAS = 3;

/** Two tenants on three replicas and the sandbox: outcomes come undisturbed to one, and in disorder to the other. */
export class DisorderedShop {
  private constructor(
    readonly gondola: CatalogInstallation,
    readonly shop: SandboxShop,
  ) {}

  static async start(label: string, deadlines: Record<Tenant, Record<string, number>>): Promise<DisorderedShop> {
    const shop = await SandboxShop.start(label, (tenant, parts) => gondola.notify(tenant, parts));
    const tenants = TENANTS.map((id) => ({ id, deadlines: deadlines[id] }));
    const gondola = await CatalogInstallation.create(label, tenants, { LOG_LEVEL: 'warn' }, shop.sandbox.url);
    const { TEST_PLATFORM_PASSWORD: password = '' } = gondola.installation.env;
    for (const [tenant, contractAccountId] of gondola.accounts)
      await shop.open({ tenant, contractAccountId, username: `erp-${tenant}`, password });
    for (let replica = 0; replica < REPLICAS; replica += 1) await gondola.startApp();
    await gondola.readTopics();
    return new DisorderedShop(gondola, shop);
  }

  /** From now on events come doubled and shuffled, and a share of them not at all. */
  async shake(event: string, lost: number): Promise<void> {
    await this.shop.sandbox.admin('POST', '/faults', [
      ...(lost > 0 ? [{ event, kind: 'webhook-lose', share: lost, seed: 5 }] : []),
      { event, kind: 'webhook-double', share: 0.5, seed: 6 },
      { event, kind: 'webhook-shuffle', ms: 400, seed: 7 },
    ]);
  }

  /** Publishes records of a tenant, and waits until each has a final result. */
  async publish(tenant: Tenant, topic: TopicName, records: readonly Sent[]): Promise<void> {
    await this.gondola.produceTo(topic, ...records.map((value) => ({ value, headers: { ce_tenant: tenant } })));
    const open = new Set(records.map(({ recordId }) => recordId));
    const isDone = () => {
      for (const { value } of this.resultsOf(tenant)) if (value['final']) open.delete(String(value['commandId']));
      return open.size === 0;
    };
    await this.gondola.until(isDone);
  }

  resultsOf(tenant: Tenant) {
    return this.gondola.results().filter(({ value }) => value['tenant'] === tenant);
  }

  async close(): Promise<void> {
    await this.shop.close();
    await this.gondola.close();
  }
}
