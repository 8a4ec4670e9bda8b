import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { ORDER_EVENTS } from './order-topics.ts';

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
