import type { ValueKind } from '@gondola/shared/topics/values';
import type { CommandReportOptions } from '@gondola/lanes/commands/command-report';
import type { LaneKey } from '@gondola/lanes/lanes/lanes';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Result } from '@gondola/shared/results/result';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';

/** Metric of records' results; the command name of a record is its `op`. */
export const CATALOG_COMMAND_REPORT: CommandReportOptions<'kind' | 'outcome' | 'evidence'> = {
  counter: {
    name: 'gondola_catalog_results_total',
    help: 'Results of catalog records, by kind of entity, outcome and evidence',
    labelNames: ['kind', 'outcome', 'evidence'],
  },
  labelsOf: ({ entity, outcome, evidence }) => ({ kind: entity?.kind ?? 'none', outcome, evidence }),
  isCommandName: (name) => name === 'upsert' || name === 'delete',
};

/** Metrics and log lines about anomalies, without content of records. */
@Injectable()
export class CatalogMetrics {
  readonly #anomalies: Counter<'kind'>;
  readonly #ages: Histogram<'kind'>;

  constructor(
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#anomalies = new Counter({
      name: 'gondola_catalog_report_anomalies_total',
      help: 'Reports of the platform with counts that do not add up, by kind of entity',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.#ages = new Histogram({
      name: 'gondola_catalog_value_age_seconds',
      help: 'Seconds from the timestamp of a price, warehouse or stock record on its topic until the platform accepted it',
      labelNames: ['kind'],
      buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 1_800, 7_200, 86_400],
      registers: [registry],
    });
  }

  /** Observes the time from the ERP's record to the platform's acceptance of a price, warehouse or stock. */
  accepted(kind: ValueKind, ageMs: number): void {
    this.#ages.observe({ kind }, Math.max(0, ageMs) / 1_000);
  }

  /** Logs a concluding report whose counts do not add up (rule 26). */
  anomaly(lane: LaneKey, { tenant, commandId, operationIds }: Result): void {
    const { kind, identity: externalReference } = lane;
    this.#anomalies.inc({ kind });
    const about = { tenant, kind, externalReference, commandId, operationIds };
    this.logger.warn(about, 'The platform reported a product with counts that do not add up');
  }

  /** Logs an applied product whose SKUs could not be read in any try. */
  skusUnpublished({ tenant, identity }: LaneKey): void {
    const about = { tenant, kind: 'product', externalReference: identity };
    this.logger.warn(about, 'A product cannot be read, so its SKUs are not published again');
  }
}
