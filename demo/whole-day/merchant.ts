// A merchant at work: it hears of orders and of its commands' outcomes on Kafka alone, and asks again for what the
// platform refused or was silent about, as people do.
import { randomUUID } from 'node:crypto';
import { waitFor } from '@gondola/local-stack/wait-for';
import { invoicePdf } from '../erp/contents.ts';
import { type OrderEvent, type Result, TOPIC } from '../erp/erp.ts';
import { type DemoContext, explain, upload } from '../play/step.ts';
import { type Entry, erpEntry, hasWorked, type SentCommand } from './day-books.ts';
import { centsOf, isPicked, moneyText, pickingOf, type PlannedOrder } from './day-plan.ts';

/** Times that the merchant asks for the same thing before it gives up, which fails the day. */
const PATIENCE = 12;
const GONE = Symbol('gone');
/** From then on an order is not the merchant's to change. */
const OVERTAKEN = new Set(['ORDER_CANCELLED', 'STATUS_NOT_SETTABLE']);

export class Merchant {
  readonly #context: DemoContext;
  readonly #sent = new Map<number, SentCommand[]>();
  #isGone = false;

  constructor(context: DemoContext) {
    this.#context = context;
  }

  /** Ends what is under way, where the day has failed already: whatever is waited for rejects. */
  leave(): void {
    this.#isGone = true;
  }

  /** All commands so far. */
  sent(): SentCommand[] {
    return [...this.#sent.values()].flat();
  }

  /** An order in the merchant's books; null where it never heard of it. */
  entry(order: number): Entry | null {
    const { erp } = this.#context;
    return erpEntry(erp.eventsOf(order), this.#sent.get(order) ?? [], (commandId) => erp.resultsOf(commandId));
  }

  /** An order from its approval to its end. */
  async handle(order: number, plan: PlannedOrder): Promise<void> {
    const { fate } = plan;
    await this.#heardOf(order);
    if (fate === 'cancelled before it is prepared') return this.#cancel(order);
    if (!(await this.#moves(order, 'StartPreparation', 400))) return;
    if (fate === 'cancelled by the shop while it is prepared') return this.#shopCancels(order);
    if (isPicked(plan)) await this.#pick(order, plan);
    if (fate === 'cancelled after it was weighed') return this.#cancel(order);
    await this.#invoice(order);
    await this.#moves(order, 'MarkReady', 500);
    await this.#moves(order, 'Ship', 600);
    if (fate !== 'not met at the door, and returned') return void (await this.#moves(order, 'ConfirmDelivery', 700));
    await this.#moves(order, 'ReportDeliveryFailure', 900);
    await this.#moves(order, 'RegisterReturn', 1000);
  }

  /** Has the platform read for an order that nothing more is to happen to. */
  async refresh(order: number): Promise<void> {
    await this.#insists(order, 'RefreshOrder', {}, () => false);
  }

  async #heardOf(order: number): Promise<OrderEvent> {
    const { erp } = this.#context;
    return this.#until(`OrderApproved of ${order}`, () =>
      erp.eventsOf(order).find(({ type }) => type === 'OrderApproved'),
    );
  }

  async #shopCancels(order: number): Promise<void> {
    await this.#context.shop.moveOrder(order, 750);
    await this.#context.shop.moveOrder(order, 800);
  }

  async #cancel(order: number): Promise<void> {
    await this.#insists(order, 'CancelOrder', { reason: 'Cliente desistiu' }, ({ status }) => status === 800);
  }

  /** False where the order was taken out of the merchant's hands. */
  async #moves(order: number, command: string, status: number): Promise<boolean> {
    return this.#insists(order, command, {}, (entry) => entry.status === status);
  }

  async #pick(order: number, plan: PlannedOrder): Promise<void> {
    const picking = pickingOf(plan);
    const total = centsOf(picking.finalOrderPrice);
    const before = this.entry(order);
    const isAsPicked = (entry: Entry) => entry.totals['total'] === total && entry.items.join() !== before?.items.join();
    await this.#insists(order, 'ReportPicking', picking, isAsPicked);
  }

  /** Half of the invoices come without their PDF, which follows. */
  async #invoice(order: number): Promise<void> {
    const number = String(1_000_000 + order);
    const uploadId = await upload(this.#context, invoicePdf(`DANFE ${number} - pedido ${order}`), 'application/pdf');
    const value = moneyText(this.entry(order)?.totals['total'] ?? 0);
    const isLater = order % 2 === 0;
    const issuedAt = new Date().toISOString();
    const invoice = { number, issuedAt, value, ...(!isLater && { pdf: { uploadId } }) };
    await this.#insists(order, 'RegisterInvoice', invoice, isInvoiced);
    if (isLater) await this.#insists(order, 'AttachInvoicePdf', { pdf: { uploadId } }, isInvoiced);
  }

  /**
   * Sends a command until it has worked, or until the order is as it was wanted in the merchant's books. After a
   * refusal or silence the order is read anew first. False where it was overtaken by a cancellation.
   */
  async #insists(
    order: number,
    command: string,
    fields: object,
    isAsWanted: (entry: Entry) => boolean,
  ): Promise<boolean> {
    const ends: string[] = [];
    for (let times = 1; times <= PATIENCE; times += 1) {
      const result = await this.#send(order, command, fields);
      if (hasWorked(result)) return true;
      if (OVERTAKEN.has(result.reason?.code ?? '')) return false;
      ends.push(explain(result));
      if (command !== 'RefreshOrder') {
        await this.#send(order, 'RefreshOrder', {});
        const entry = this.entry(order);
        if (entry !== null && isAsWanted(entry)) return true;
      }
    }
    throw new Error(`${command} of ${order} did not work in ${PATIENCE} times: ${ends.join('; ')}`);
  }

  /** Sends a command and waits for its end, and for the events that were published before that. */
  async #send(order: number, command: string, fields: object): Promise<Result> {
    const { erp } = this.#context;
    const value: SentCommand = { commandId: randomUUID(), command, orderNumber: order, ...fields };
    this.#sent.set(order, [...(this.#sent.get(order) ?? []), value]);
    await erp.send(TOPIC.orderCommands, [{ key: String(order), value }]);
    const result = await this.#until(`the result of ${command} of ${order}`, () => erp.endOf(value.commandId));
    const revision = result.revision ?? 0;
    await this.#until(
      `revision ${revision} of ${order}`,
      () => revision === 0 || (erp.eventsOf(order).at(-1)?.revision ?? 0) >= revision,
    );
    return result;
  }

  async #until<T>(describe: string, look: () => T | undefined | false): Promise<T> {
    const timeoutMs = this.#context.stepTimeoutMs;
    const seen = await waitFor(() => (this.#isGone ? GONE : (look() ?? null)), { describe, timeoutMs });
    if (seen === GONE) throw new Error(`The day ended before ${describe}`);
    return seen;
  }
}

function isInvoiced({ status }: Entry): boolean {
  return status === 350;
}
