import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Outcome of a known sender's delivery. */
export type ReceivedOutcome = 'stored' | 'repeated' | 'quarantined' | 'spooled' | 'too-large' | 'not-stored';

/** Counts deliveries by their answer. */
@Injectable()
export class WebhookMetrics {
  readonly #received: Counter<'tenant' | 'outcome'>;
  readonly #unauthorized: Counter;

  constructor(registry: Registry) {
    this.#received = new Counter({
      name: 'gondola_notifications_received_total',
      help: 'Webhook deliveries of known senders, by outcome; deliveries with too-large and not-stored are not stored',
      labelNames: ['tenant', 'outcome'],
      registers: [registry],
    });
    this.#unauthorized = new Counter({
      name: 'gondola_webhook_unauthorized_total',
      help: 'Webhook deliveries answered 401 because their token belongs to no tenant',
      registers: [registry],
    });
  }

  received(tenant: string, outcome: ReceivedOutcome): void {
    this.#received.inc({ tenant, outcome });
  }

  unauthorized(): void {
    this.#unauthorized.inc();
  }
}
