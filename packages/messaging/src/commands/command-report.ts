import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Result, ResultEntity } from '@gondola/shared/results/result';

export interface CommandReportOptions<L extends string = string> {
  /** The app's counter of results; its name and labels are published. */
  readonly counter: { readonly name: string; readonly help: string; readonly labelNames: readonly L[] };
  /** The labels that a result counts under; null: it does not count. `command` is a name that is safe to show. */
  readonly labelsOf: (result: Result, command: string) => Readonly<Record<L, string>> | null;
  /** Names that may stand in labels and logs; whatever else an ERP writes into the field is `other` there. */
  readonly isCommandName: (name: string) => boolean;
}

/** A result that was saved, and the trace that it belongs to. */
export interface SavedResult {
  readonly result: Result;
  readonly traceparent: string;
}

/** Injects `CommandReportOptions`. */
export const COMMAND_REPORT = Symbol('gondola.command-report');

/** Reports commands to operators: one log line and one count for each result. No content of commands. */
@Injectable()
export class CommandReport {
  readonly #results: Counter;

  constructor(
    @Inject(COMMAND_REPORT) private readonly options: CommandReportOptions,
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { name, help, labelNames } = options.counter;
    this.#results = new Counter({ name, help, labelNames, registers: [registry] });
  }

  /** After the transaction that saved them was committed. */
  saved(results: readonly SavedResult[]): void {
    for (const each of results) this.#saved(each);
  }

  #saved({ result, traceparent }: SavedResult): void {
    const { labelsOf, isCommandName } = this.options;
    const { tenant, commandId, outcome, evidence, reason, attempts, operationIds } = result;
    const command = isCommandName(result.command) ? result.command : 'other';
    const labels = labelsOf(result, command);
    if (labels !== null) this.#results.inc(labels);
    const about = { tenant, ...entityFields(result.entity), commandId, command };
    const how = { outcome, evidence, reasonCode: reason?.code, attempts, operationIds, traceparent };
    this.logger.info({ ...about, ...how }, result.final ? 'Command ended' : 'Command waits');
  }
}

function entityFields(entity: ResultEntity | null): Record<string, unknown> {
  if (entity === null || 'entityId' in entity) return {};
  if ('orderNumber' in entity) return { orderNumber: entity.orderNumber };
  const { kind, externalReference } = entity;
  return kind === 'sku' ? { skuExternalReference: externalReference } : { kind, externalReference };
}
