import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** What operators did that others may have to account for. */
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

  /** The personal data of an order is about to be shown. */
  revealed(tenant: string): void {
    this.#revealed.inc({ tenant });
  }
}
