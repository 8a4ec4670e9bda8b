import type { CommandReportOptions } from '@gondola/messaging/commands/command-report';
import type { LaneKey } from '@gondola/messaging/lanes/lanes';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Result } from '@gondola/shared/results/result';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Results of records; the name of a record's command is its `op`. */
export const CATALOG_COMMAND_REPORT: CommandReportOptions<'kind' | 'outcome' | 'evidence'> = {
  counter: {
    name: 'gondola_catalog_results_total',
    help: 'Results of catalog records, by kind of entity, outcome and evidence',
    labelNames: ['kind', 'outcome', 'evidence'],
  },
  labelsOf: ({ entity, outcome, evidence }) => ({ kind: entity?.kind ?? 'none', outcome, evidence }),
  isCommandName: (name) => name === 'upsert' || name === 'delete',
};

/** What operators see beside the results of records: what is odd. No content of records. */
@Injectable()
export class CatalogMetrics {
  readonly #anomalies: Counter<'kind'>;

  constructor(
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#anomalies = new Counter({
      name: 'gondola_catalog_report_anomalies_total',
      help: 'Reports of the platform whose figures do not add up',
      labelNames: ['kind'],
      registers: [registry],
    });
  }

  /** The platform's report that ended a record does not add up (rule 26). */
  anomaly(lane: LaneKey, { tenant, commandId, operationIds }: Result): void {
    const { kind, identity: externalReference } = lane;
    this.#anomalies.inc({ kind });
    const about = { tenant, kind, externalReference, commandId, operationIds };
    this.logger.warn(about, 'The platform reported a product by figures that do not add up');
  }

  /** A product that was applied cannot be read, however often it was tried. */
  skusUnpublished({ tenant, identity }: LaneKey): void {
    const about = { tenant, kind: 'product', externalReference: identity };
    this.logger.warn(about, 'A product cannot be read, so its SKUs stay as they were last published');
  }
}
