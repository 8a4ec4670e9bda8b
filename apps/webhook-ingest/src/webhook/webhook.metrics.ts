import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { DeliveryHours, type ReceivedOutcome } from './delivery-hours.service.ts';

/** Counts deliveries by their answer, as metrics and by the hour. */
@Injectable()
export class WebhookMetrics {
  readonly #received: Counter<'tenant' | 'outcome'>;
  readonly #unauthorized: Counter;

  constructor(
    registry: Registry,
    private readonly hours: DeliveryHours,
  ) {
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
    this.hours.count(tenant, outcome);
  }

  unauthorized(): void {
    this.#unauthorized.inc();
  }
}
