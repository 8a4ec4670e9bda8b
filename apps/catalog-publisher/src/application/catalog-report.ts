import type { LaneKey } from '@gondola/messaging/lanes/lanes';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Result } from '@gondola/shared/results/result';
import { Counter, type Registry } from 'prom-client';
import type { LaneWork } from './record-step.ts';

/** What operators see beside the results of records: what is odd. No content of records. */
export class CatalogReport {
  readonly #logger: Logger;
  readonly #anomalies: Counter<'kind'>;

  constructor({ registry, logger }: { readonly registry: Registry; readonly logger: Logger }) {
    this.#logger = logger;
    this.#anomalies = new Counter({
      name: 'gondola_catalog_report_anomalies_total',
      help: 'Reports of the platform whose figures do not add up',
      labelNames: ['kind'],
      registers: [registry],
    });
  }

  /** The platform's report that ended a record does not add up (rule 26). */
  anomaly({ lane }: LaneWork, { tenant, commandId, operationIds }: Result): void {
    const { kind, identity: externalReference } = lane;
    this.#anomalies.inc({ kind });
    const about = { tenant, kind, externalReference, commandId, operationIds };
    this.#logger.warn(about, 'The platform reported a product by figures that do not add up');
  }

  /** A product that was applied cannot be read, however often it was tried. */
  skusUntold({ tenant, identity }: LaneKey): void {
    const about = { tenant, kind: 'product', externalReference: identity };
    this.#logger.warn(about, 'A product cannot be read, so its SKUs stay as they were told');
  }
}
