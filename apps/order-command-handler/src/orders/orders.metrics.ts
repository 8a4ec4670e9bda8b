import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { ORDER_EVENTS } from './order-topics.ts';
import { askedOnceAtATime, collectedGauge } from '@gondola/service-kit/metrics/collected-gauge';
import { type AttentionCount, OrdersRepository } from './orders.repository.ts';

/** Counts order events in the outbox. */
@Injectable()
export class OrderEventsMetrics {
  readonly #events: Counter<'type'>;

  constructor(registry: Registry) {
    this.#events = new Counter({
      name: 'gondola_order_events_total',
      help: 'Order events published for the ERP, by type',
      labelNames: ['type'],
      registers: [registry],
    });
  }

  /** Called after the commit. */
  saved(records: readonly OutRecord[]): void {
    for (const { topic, type } of records) if (topic === ORDER_EVENTS) this.#events.inc({ type });
  }
}

/** Gauge of orders that need attention, counted at each scrape; absent while the database does not answer. */
@Injectable()
export class AttentionMetrics {
  constructor(registry: Registry, orders: OrdersRepository) {
    const labelNames = ['tenant', 'code'];
    const counts = askedOnceAtATime(() => orders.attentionCounts());
    const ofCounts = (name: string, help: string, value: (count: AttentionCount) => number): void =>
      collectedGauge(registry, { name, help, labelNames }, async () =>
        ((await counts()) ?? []).map((count) => ({
          labels: { tenant: count.tenant, code: count.code },
          value: value(count),
        })),
      );
    ofCounts(
      'gondola_orders_needing_attention',
      'Orders that need attention, by the code of what is missing',
      ({ orders: value }) => value,
    );
    ofCounts(
      'gondola_orders_needing_attention_oldest_age_seconds',
      'Seconds for which the oldest order that needs attention has been in its state, by the code of what is missing',
      ({ oldestSeconds }) => oldestSeconds,
    );
  }
}
