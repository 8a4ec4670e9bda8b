import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Result, ResultEntity } from '@gondola/shared/results/result';

export interface CommandReportOptions<L extends string = string> {
  /** The app's counter of results; its name and labels are part of the published metrics. */
  readonly counter: { readonly name: string; readonly help: string; readonly labelNames: readonly L[] };
  /** Labels under which a result is counted; null: it is not counted. `command` is a name that is safe to show. */
  readonly labelsOf: (result: Result, command: string) => Readonly<Record<L, string>> | null;
  /** True for names that may appear in labels and logs; any other name that an ERP sends is shown as `other`. */
  readonly isCommandName: (name: string) => boolean;
}

/** A result that was saved, with its trace. */
export interface SavedResult {
  readonly result: Result;
  readonly traceparent: string;
  /** When its command came, see `cameAtOf`. */
  readonly cameAt: number;
}

/** Injects `CommandReportOptions`. */
export const COMMAND_REPORT = Symbol('gondola.command-report');

/** A command ends within a day, or waits for the references that it names. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];
const MS_PER_SECOND = 1_000;

/**
 * Reports commands to operators: one log line and one count per result, the time to the final one and the attempts that
 * it needed; without the content of commands.
 */
@Injectable()
export class CommandReport {
  readonly #results: Counter;
  readonly #latencies: Histogram<'kind' | 'command' | 'outcome'>;
  readonly #retries: Counter<'kind' | 'command'>;

  constructor(
    @Inject(COMMAND_REPORT) private readonly options: CommandReportOptions,
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { name, help, labelNames } = options.counter;
    const registers = [registry];
    this.#results = new Counter({ name, help, labelNames, registers });
    this.#latencies = new Histogram({
      name: 'gondola_outcome_latency_seconds',
      help: 'Seconds from the receipt of a command or record to its final result, by kind of its entity, command and outcome',
      labelNames: ['kind', 'command', 'outcome'],
      buckets: SECONDS,
      registers,
    });
    this.#retries = new Counter({
      name: 'gondola_attempts_repeated_total',
      help: 'Attempts at the platform beyond the first one that a command or record needed until its final result',
      labelNames: ['kind', 'command'],
      registers,
    });
  }

  /** To be called after the transaction that saved the results is committed. */
  saved(results: ReadonlyArray<Omit<SavedResult, 'cameAt'>>): void {
    for (const each of results) this.#saved(each);
  }

  #saved({ result, traceparent }: Omit<SavedResult, 'cameAt'>): void {
    const { labelsOf, isCommandName } = this.options;
    const { tenant, commandId, outcome, evidence, reason, attempts, operationIds } = result;
    const command = isCommandName(result.command) ? result.command : 'other';
    const labels = labelsOf(result, command);
    if (labels !== null) this.#results.inc(labels);
    this.#ended(result, command);
    const about = { tenant, ...entityFields(result.entity), commandId, command };
    const how = { outcome, evidence, reasonCode: reason?.code, attempts, operationIds, traceparent };
    this.logger.info({ ...about, ...how }, result.final ? 'A command ended' : 'A command waits');
  }

  #ended({ entity, outcome, receivedAt, finishedAt, attempts }: Result, command: string): void {
    if (finishedAt === null) return;
    const kind = entity?.kind ?? 'none';
    const ms = Math.max(0, Date.parse(finishedAt) - Date.parse(receivedAt));
    this.#latencies.observe({ kind, command, outcome }, ms / MS_PER_SECOND);
    if (outcome !== 'corrected') this.#retries.inc({ kind, command }, Math.max(0, attempts - 1));
  }
}

function entityFields(entity: ResultEntity | null): Record<string, unknown> {
  if (entity === null || 'entityId' in entity) return {};
  if ('orderNumber' in entity) return { orderNumber: entity.orderNumber };
  const { kind, externalReference } = entity;
  return kind === 'sku' ? { skuExternalReference: externalReference } : { kind, externalReference };
}
