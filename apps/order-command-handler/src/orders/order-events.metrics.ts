import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { Counter, type Registry } from 'prom-client';
import { ORDER_EVENTS } from './order-topics.ts';

/** Counts the events of orders that were saved to be published. */
export class EventReport {
  readonly #events: Counter<'type'>;

  constructor(registry: Registry) {
    this.#events = new Counter({
      name: 'gondola_order_events_total',
      help: 'Order events told to the ERP, by type',
      labelNames: ['type'],
      registers: [registry],
    });
  }

  /** After a transaction was committed. */
  saved(records: readonly OutRecord[]): void {
    for (const { topic, type } of records) if (topic === ORDER_EVENTS) this.#events.inc({ type });
  }
}
