import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { isOrderCommandName } from '@gondola/shared/orders/order-command-names';
import type { Result } from '@gondola/shared/results/result';
import { Counter, type Registry } from 'prom-client';

export interface OrderReportOptions {
  readonly registry: Registry;
  readonly logger: Logger;
  /** Tells the relay that the outbox has something. */
  readonly wakeRelay: () => void;
}

/** What operators see of the work: one log line per ended command, and counts. No values of orders. */
export class OrderReport {
  readonly #options: OrderReportOptions;
  readonly #events: Counter<'type'>;
  readonly #outcomes: Counter<'command' | 'outcome'>;

  constructor(options: OrderReportOptions) {
    this.#options = options;
    const registers = [options.registry];
    this.#events = new Counter({
      name: 'gondola_order_events_total',
      help: 'Order events told to the ERP, by type',
      labelNames: ['type'],
      registers,
    });
    this.#outcomes = new Counter({
      name: 'gondola_order_command_outcomes_total',
      help: 'Order commands that ended, by command and outcome',
      labelNames: ['command', 'outcome'],
      registers,
    });
  }

  /** After a transaction was committed. */
  saved(told: readonly { readonly records: readonly OutRecord[]; readonly results: readonly Result[] }[]): void {
    if (told.every(({ records }) => records.length === 0)) return;
    this.#options.wakeRelay();
    for (const { records, results } of told) {
      for (const { topic, type } of records) if (topic === 'erp.orders.events.v1') this.#events.inc({ type });
      for (const result of results) this.#ended(result);
    }
  }

  #ended({
    tenant,
    entity,
    commandId,
    command: name,
    outcome,
    evidence,
    reason,
    attempts,
    operationIds,
  }: Result): void {
    // Whatever else an ERP writes into the field stays out of labels and logs.
    const command = isOrderCommandName(name) ? name : 'other';
    this.#outcomes.inc({ command, outcome });
    const orderNumber = entity?.kind === 'order' ? entity.orderNumber : undefined;
    const reasonCode = reason?.code;
    this.#options.logger.info(
      { tenant, orderNumber, commandId, command, outcome, evidence, reasonCode, attempts, operationIds },
      'Command ended',
    );
  }
}
