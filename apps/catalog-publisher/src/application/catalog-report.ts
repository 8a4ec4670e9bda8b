import type { LaneKey } from '@gondola/messaging/lanes/lanes';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Result } from '@gondola/shared/results/result';
import { Counter, type Registry } from 'prom-client';

export interface CatalogReportOptions {
  readonly registry: Registry;
  readonly logger: Logger;
  /** Tells the relay that the outbox has something. */
  readonly wakeRelay: () => void;
}

/** What was told of a record. */
export interface ToldResult {
  readonly result: Result;
  readonly traceparent: string;
  /** The platform's report does not add up (rule 26). */
  readonly anomaly: boolean;
}

/** What operators see of the work: one log line for each record that ended, and counts. No content of records. */
export class CatalogReport {
  readonly #options: CatalogReportOptions;
  readonly #outcomes: Counter<'kind' | 'outcome' | 'evidence'>;
  readonly #anomalies: Counter<'kind'>;

  constructor(options: CatalogReportOptions) {
    this.#options = options;
    const registers = [options.registry];
    this.#outcomes = new Counter({
      name: 'gondola_catalog_results_total',
      help: 'Results of catalog records, by kind of entity, outcome and evidence',
      labelNames: ['kind', 'outcome', 'evidence'],
      registers,
    });
    this.#anomalies = new Counter({
      name: 'gondola_catalog_report_anomalies_total',
      help: 'Reports of the platform whose figures do not add up',
      labelNames: ['kind'],
      registers,
    });
  }

  /** After a transaction was committed. */
  saved(told: readonly ToldResult[]): void {
    if (told.length > 0) this.#options.wakeRelay();
    for (const each of told) this.#tell(each);
  }

  /** A product that was applied cannot be read, however often it was tried. */
  skusUntold({ tenant, identity }: LaneKey): void {
    const about = { tenant, kind: 'product', externalReference: identity };
    this.#options.logger.warn(about, 'A product cannot be read, so its SKUs stay as they were told');
  }

  #tell({ result, traceparent, anomaly }: ToldResult): void {
    const { tenant, entity, commandId, command, outcome, evidence, reason, attempts, operationIds } = result;
    const kind = entity?.kind ?? 'none';
    const externalReference = entity !== null && 'externalReference' in entity ? entity.externalReference : undefined;
    const about = { tenant, kind, externalReference, commandId, command, operationIds, traceparent };
    this.#outcomes.inc({ kind, outcome, evidence });
    this.#options.logger.info(
      { ...about, outcome, evidence, reasonCode: reason?.code, attempts },
      'Catalog record answered',
    );
    if (!anomaly) return;
    this.#anomalies.inc({ kind });
    this.#options.logger.warn(about, 'The platform reported a product by figures that do not add up');
  }
}
