import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Counts operators' actions that must be accounted for. */
@Injectable()
export class OperationsMetrics {
  readonly #revealed: Counter<'tenant'>;

  constructor(registry: Registry) {
    this.#revealed = new Counter({
      name: 'gondola_orders_revealed_total',
      help: 'Orders whose personal data was shown to an operator, by tenant',
      labelNames: ['tenant'],
      registers: [registry],
    });
  }

  /** Counts a display of an order's personal data. */
  revealed(tenant: string): void {
    this.#revealed.inc({ tenant });
  }
}
