// A merchant at work: it learns of orders and outcomes from Kafka alone, and repeats commands that the platform
// refused or did not confirm, as people do.
import { randomUUID } from 'node:crypto';
import { invoicePdf } from '../../erp/contents.ts';
import { type Result, TOPIC } from '../../erp/erp.ts';
import { type DemoContext, explain, upload } from '../../play/step.ts';
import { type Entry, erpEntry, hasWorked, type SentCommand } from './day-books.ts';
import { centsOf, finalStatus, isPicked, moneyText, pickingOf, type PlannedOrder } from './day-plan.ts';

/** Number of times that the merchant repeats a command; after that, the day fails. */
const PATIENCE = 12;
/** Reasons after which the merchant can no longer change the order. */
const OVERTAKEN = new Set(['ORDER_CANCELLED', 'STATUS_NOT_SETTABLE']);

const CANCELLED = 800;
const RETURNED = 1000;
/** Steps after the invoice, with the status that each sets. */
const ON_ITS_WAY = [
  ['MarkReady', 500],
  ['Ship', 600],
] as const;
const TO_THE_DOOR = [...ON_ITS_WAY, ['ConfirmDelivery', 700]] as const;
const TO_ITS_RETURN = [...ON_ITS_WAY, ['ReportDeliveryFailure', 900], ['RegisterReturn', RETURNED]] as const;

export class Merchant {
  readonly #context: DemoContext;
  readonly #sent = new Map<number, SentCommand[]>();
  readonly #missing = new Set<number>();
  readonly #gone = new AbortController();

  constructor(context: DemoContext) {
    this.#context = context;
  }

  /** Stops all waits, which then reject, because the day has failed already. */
  leave(): void {
    this.#gone.abort();
  }

  /** All commands so far. */
  sent(): SentCommand[] {
    return [...this.#sent.values()].flat();
  }

  /** Paid orders of which it has not heard yet. */
  missing(): number[] {
    return [...this.#missing];
  }

  /** An order in the merchant's books; null if the order is unknown to it. */
  entry(order: number): Entry | null {
    const { erp } = this.#context;
    return erpEntry(erp.eventsOf(order), this.#sent.get(order) ?? [], (commandId) => erp.resultsOf(commandId));
  }

  /** Handles an order from its approval to its last step. */
  async handle(order: number, plan: PlannedOrder): Promise<void> {
    const { fate } = plan;
    this.#missing.add(order);
    await this.#until(order, 'OrderApproved', () => this.#isApproved(order));
    this.#missing.delete(order);
    if (fate === 'cancelled before it is prepared') return this.#cancel(order);
    if (!(await this.#moves(order, 'StartPreparation', 400))) return;
    if (fate === 'cancelled by the shop while it is prepared') return this.#shopCancels(order);
    if (isPicked(plan)) await this.#pick(order, plan);
    if (fate === 'cancelled after it was weighed') return this.#cancel(order);
    await this.#invoice(order);
    for (const [command, status] of finalStatus(plan) === RETURNED ? TO_ITS_RETURN : TO_THE_DOOR) {
      await this.#moves(order, command, status);
    }
  }

  /**
   * Goes on with an order that the shop put back, or that a late call did: the steps from its status on. Nothing is
   * done for one that is where it should be.
   */
  async goesOn(order: number, plan: PlannedOrder): Promise<void> {
    const status = this.entry(order)?.status;
    const end = finalStatus(plan);
    if (status === end) return;
    if (end === CANCELLED) return this.#cancel(order);
    const steps = end === RETURNED ? TO_ITS_RETURN : TO_THE_DOOR;
    const from = steps.findIndex(([, reached]) => reached === status);
    for (const [command, reached] of steps.slice(from + 1)) await this.#moves(order, command, reached);
  }

  /** Makes Gondola read an order from the platform after its last step. */
  async refresh(order: number): Promise<void> {
    await this.#insists(
      order,
      'RefreshOrder',
      () => ({}),
      () => false,
    );
  }

  #isApproved(order: number): boolean {
    return this.#context.erp.eventsOf(order).some(({ type }) => type === 'OrderApproved');
  }

  async #shopCancels(order: number): Promise<void> {
    await this.#context.shop.moveOrder(order, 750);
    await this.#context.shop.moveOrder(order, 800);
  }

  async #cancel(order: number): Promise<void> {
    await this.#insists(
      order,
      'CancelOrder',
      () => ({ reason: 'Cliente desistiu' }),
      ({ status }) => status === 800,
    );
  }

  /** False if a cancellation overtook the command. */
  async #moves(order: number, command: string, status: number): Promise<boolean> {
    return this.#insists(
      order,
      command,
      () => ({}),
      (entry) => entry.status === status,
    );
  }

  async #pick(order: number, plan: PlannedOrder): Promise<void> {
    const picking = pickingOf(plan);
    const total = centsOf(picking.finalOrderPrice);
    const before = this.entry(order);
    const isAsPicked = (entry: Entry) => entry.totals['total'] === total && entry.items.join() !== before?.items.join();
    if (!(await this.#insists(order, 'ReportPicking', () => picking, isAsPicked))) return;
    // The recalculation may have been told without its values; the invoice needs the total.
    for (let times = 1; times <= PATIENCE && this.entry(order)?.totals['total'] !== total; times += 1) {
      await this.#send(order, 'RefreshOrder', {});
    }
  }

  /**
   * Half of the invoices are registered without their PDF, which follows later. It follows, too, where the result of
   * the registration warns that the PDF may be missing; and where that of the PDF warns that the registration may be,
   * both are sent once more.
   */
  async #invoice(order: number): Promise<void> {
    const number = String(1_000_000 + order);
    let uploadId: string | null = null;
    // An upload that is lost, as by a restored database, is made again (docs/erp-guide.md).
    const pdf = async (last: Result | null): Promise<object> => {
      if (last?.reason?.code === 'UPLOAD_UNKNOWN') uploadId = null;
      uploadId ??= await upload(this.#context, invoicePdf(`DANFE ${number} - pedido ${order}`), 'application/pdf');
      return { uploadId };
    };
    const value = moneyText(this.entry(order)?.totals['total'] ?? 0);
    const isLater = order % 2 === 0;
    const issuedAt = new Date().toISOString();
    const invoice = async (last: Result | null): Promise<object> => {
      return { number, issuedAt, value, ...(!isLater && { pdf: await pdf(last) }) };
    };
    const attached = async (last: Result | null): Promise<object> => ({ pdf: await pdf(last) });
    for (let times = 1; times <= PATIENCE; times += 1) {
      if (!(await this.#insists(order, 'RegisterInvoice', invoice, isInvoiced))) return;
      if (this.entry(order)?.invoice !== null) return;
      if (!(await this.#insists(order, 'AttachInvoicePdf', attached, showsItsInvoice))) return;
      if (this.entry(order)?.invoice !== null) return;
    }
  }

  /**
   * Repeats a command until it succeeds, or until the merchant's books show the requested state. After a refusal or
   * silence, the order is read again first. False if a cancellation overtook it.
   *
   * @param fieldsAfter fields of the command, by its last result; null before the first
   */
  async #insists(
    order: number,
    command: string,
    fieldsAfter: (last: Result | null) => object | Promise<object>,
    isAsWanted: (entry: Entry) => boolean,
  ): Promise<boolean> {
    const ends: string[] = [];
    let last: Result | null = null;
    for (let times = 1; times <= PATIENCE; times += 1) {
      const result = await this.#send(order, command, await fieldsAfter(last));
      last = result;
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

  /** Sends a command and waits for its outcome, and for the events published before it. */
  async #send(order: number, command: string, fields: object): Promise<Result> {
    const { erp } = this.#context;
    const value: SentCommand = { commandId: randomUUID(), command, orderNumber: order, ...fields };
    this.#sent.set(order, [...(this.#sent.get(order) ?? []), value]);
    await erp.send(TOPIC.orderCommands, [{ key: String(order), value }]);
    const result = await this.#until(order, `the result of ${command}`, () => erp.endOf(value.commandId));
    const revision = result.revision ?? 0;
    const isPublished = () => revision === 0 || (erp.eventsOf(order).at(-1)?.revision ?? 0) >= revision;
    await this.#until(order, `revision ${revision}`, isPublished);
    return result;
  }

  /** Looks at each record about the order until a value is found. */
  async #until<T>(order: number, what: string, look: () => T | undefined | false): Promise<T> {
    const { erp, stepTimeoutMs } = this.#context;
    const signal = AbortSignal.any([this.#gone.signal, AbortSignal.timeout(stepTimeoutMs)]);
    for (;;) {
      const seen = look();
      if (seen !== undefined && seen !== false) return seen;
      await erp.nextAbout(order, signal).catch((cause: unknown) => {
        throw new Error(`Order ${order} waited in vain for ${what}`, { cause });
      });
    }
  }
}

function isInvoiced({ status }: Entry): boolean {
  return status === 350;
}

function showsItsInvoice({ invoice }: Entry): boolean {
  return invoice !== null;
}
