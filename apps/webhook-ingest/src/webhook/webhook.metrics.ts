import { TENANTS } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { DeliveryHours, RECEIVED_OUTCOMES, type ReceivedOutcome } from './delivery-hours.service.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const MS_PER_SECOND = 1_000;

/** Counts and times deliveries by their answer, as metrics, and counts them by the hour. */
@Injectable()
export class WebhookMetrics {
  readonly #received: Counter<'tenant' | 'outcome'>;
  readonly #durations: Histogram<'outcome'>;
  readonly #unauthorized: Counter;

  constructor(
    registry: Registry,
    private readonly hours: DeliveryHours,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#received = new Counter({
      name: 'gondola_notifications_received_total',
      help: 'Webhook deliveries of known senders, by outcome; deliveries with too-large and not-stored are not stored',
      labelNames: ['tenant', 'outcome'],
      registers: [registry],
    });
    // From 0, so that the first delivery that is not stored is an increase.
    for (const { id: tenant } of tenants)
      for (const outcome of RECEIVED_OUTCOMES) this.#received.inc({ tenant, outcome }, 0);
    this.#durations = new Histogram({
      name: 'gondola_notification_duration_seconds',
      help: 'Seconds from the head of a webhook delivery to the decision about its answer, by outcome',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers: [registry],
    });
    this.#unauthorized = new Counter({
      name: 'gondola_webhook_unauthorized_total',
      help: 'Webhook deliveries answered 401 because their token belongs to no tenant',
      registers: [registry],
    });
  }

  /** @param ms from the head of the delivery until now, in milliseconds */
  received(tenant: string, outcome: ReceivedOutcome, ms: number): void {
    this.#durations.observe({ outcome }, Math.max(0, ms) / MS_PER_SECOND);
    this.#received.inc({ tenant, outcome });
    this.hours.count(tenant, outcome);
  }

  unauthorized(): void {
    this.#unauthorized.inc();
  }
}
