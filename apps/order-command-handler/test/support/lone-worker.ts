import { LoneWorker, type LoneWorkerOptions } from '@gondola/operations/testing/lone-worker';
import { notification, type NotificationParts } from '@gondola/shared/testing/notification';
import { ORDER_COMMAND_REPORT, orderCommandQueue } from '../../src/commands/order-commands.ts';
import { orderEntities as entities, orderMigrations as migrations } from '../../src/database.schema.ts';
import { OrderFactsRepository } from '../../src/facts/order-facts.repository.ts';
import { orderLane } from '../../src/facts/order-lane.ts';
import { readNotification } from '../../src/notifications/read-notification.ts';
import { LanesModule } from '../../src/lanes/lanes.module.ts';
import { PdfResultsRepository } from '../../src/pdf-results/pdf-results.repository.ts';

const TOPIC = 'erp.orders.commands.v1';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const APP = {
  name: 'order-command-handler',
  database: { entities, migrations },
  lanes: LanesModule,
  report: ORDER_COMMAND_REPORT,
  config: { times: { lostAnswerMs: 100 }, watch: { firstMs: 60_000, paidNoticeMs: 120_000, longestMs: 60_000 } },
};

/** The worker of the order lanes, with what its consumers would store. */
export class LoneOrderWorker extends LoneWorker {
  static async create(options: LoneWorkerOptions): Promise<LoneOrderWorker> {
    return new LoneOrderWorker(await LoneWorker.open(APP, options), options.tenant);
  }

  async storeFact(parts: NotificationParts): Promise<void> {
    const { key, value } = notification(this.tenant, parts);
    const reading = readNotification(value, { tenant: this.tenant, id: key, traceparent: TRACEPARENT });
    if (reading.kind !== 'fact') throw new Error('The test notification is no fact');
    await this.wake(orderLane(this.tenant, reading.fact.orderNumber), (tx, laneId) =>
      this.get(OrderFactsRepository).insert(tx, [{ ...reading.fact, laneId }]),
    );
  }

  async storeCommand(
    command: Readonly<Record<string, unknown>> & { commandId: string; command: string; orderNumber: number },
  ): Promise<void> {
    const { commandId, command: name, orderNumber } = command;
    const lane = orderLane(this.tenant, String(orderNumber));
    const value = Buffer.from(JSON.stringify(command));
    await this.queue({ lane, topic: TOPIC, commandId, command: name, queue: orderCommandQueue(name), value });
  }

  results(): Promise<Record<string, unknown>[]> {
    return this.published('erp.orders.results.v1');
  }

  async eventTypes(): Promise<unknown[]> {
    return (await this.published('erp.orders.events.v1')).map(({ type }) => type);
  }

  /** That the file gateway attached the PDF of a command. */
  async storePdfAttached(parentCommandId: string, orderNumber: number): Promise<void> {
    const result = { command: 'UploadInvoicePdf', outcome: 'applied', evidence: 'read-back', reason: null };
    await this.#storePdfResult(parentCommandId, 'pdf', orderNumber, result);
  }

  /** That the file gateway found the PDF of a command good. */
  async storePdfChecked(parentCommandId: string, orderNumber: number): Promise<void> {
    const result = { command: 'CheckInvoicePdf', outcome: 'applied', evidence: 'none', reason: null };
    await this.#storePdfResult(parentCommandId, 'chk', orderNumber, result);
  }

  async #storePdfResult(parentCommandId: string, suffix: string, orderNumber: number, result: object): Promise<void> {
    const { tenant } = this;
    const stored = { tenant, resultId: `${parentCommandId}/${suffix}`, parentCommandId };
    await this.wake(orderLane(tenant, String(orderNumber)), (tx) =>
      this.get(PdfResultsRepository).insert(tx, [{ ...stored, value: Buffer.from(JSON.stringify(result)) }]),
    );
  }
}
