import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { askedOnceAtATime, collectedGauge, type Sample } from '@gondola/service-kit/metrics/collected-gauge';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { OpenOrdersRepository } from './open-orders.repository.ts';

/** Gauges of the reads of open orders, asked for at each scrape; absent while the database does not answer. */
@Injectable()
export class RecoveryMetrics {
  constructor(
    registry: Registry,
    private readonly openOrders: OpenOrdersRepository,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'recovery'>>,
  ) {
    const lateness = askedOnceAtATime(() => this.#lateness());
    const name = 'gondola_order_read_lateness_seconds';
    const help =
      'Seconds for which the most overdue read of an open order is past its due time, 0 if none is: of the orders that were not read since they were last heard of (young), and of all';
    collectedGauge(registry, { name, help, labelNames: ['tenant', 'orders'] }, async () => (await lateness()) ?? []);
    const counted = askedOnceAtATime(() => this.#givenUp());
    const givenUp = {
      name: 'gondola_orders_given_up',
      help: 'Orders without an end that are no longer read at the platform, since nothing was heard of them for 30 days',
      labelNames: ['tenant'],
    };
    collectedGauge(registry, givenUp, async () => (await counted()) ?? []);
  }

  async #lateness(): Promise<Sample[]> {
    const found = this.tenants.map(async ({ id: tenant, recovery }) => {
      const { youngSeconds, allSeconds } = await this.openOrders.lateness(tenant, recovery.quietMs);
      return [
        { labels: { tenant, orders: 'young' }, value: Math.max(0, youngSeconds) },
        { labels: { tenant, orders: 'all' }, value: Math.max(0, allSeconds) },
      ];
    });
    return (await Promise.all(found)).flat();
  }

  async #givenUp(): Promise<Sample[]> {
    const found = this.tenants.map(async ({ id: tenant }) => {
      return { labels: { tenant }, value: await this.openOrders.givenUp(tenant) };
    });
    return Promise.all(found);
  }
}
