// The three books of a day, each from the knowledge of one side, and their differences.
import type { OrderEvent, OrderTotals, Result } from '../../erp/erp.ts';
import type { OperatorsOrder } from '../../play/gondola-client.ts';
import type { ShopOrder } from '../../play/sandbox-client.ts';
import { centsOf } from './day-plan.ts';

/** An order in one side's books. Amounts are cents. */
export interface Entry {
  readonly status: number | null;
  readonly totals: Readonly<Record<string, number>>;
  /** Sorted. */
  readonly items: readonly string[];
  /** True if these are only some of the items, as the event says that told them: the order is too large for it. */
  readonly hasSomeItems?: boolean;
  /** Value of the registered and attached invoice; null without one. */
  readonly invoice: number | null;
}

/** A command that the ERP sent. */
export interface SentCommand {
  readonly commandId: string;
  readonly command: string;
  readonly orderNumber: number;
  /** Only for `RegisterInvoice`, decimal text. */
  readonly value?: string;
}

/** Statuses that own commands set, which only their results report (contract, "Order events"). */
const SETS_STATUS: Readonly<Record<string, number>> = {
  StartPreparation: 400,
  RegisterInvoice: 350,
  AttachInvoicePdf: 350,
  MarkReady: 500,
  Ship: 600,
  ConfirmDelivery: 700,
  ReportDeliveryFailure: 900,
  RegisterReturn: 1000,
};
const INVOICED = 350;
/** Warnings of a result that leaves the invoice without its PDF, or the PDF without its invoice (rule 15). */
const NOT_INVOICED: ReadonlySet<string> = new Set(['PDF_MISSING', 'PDF_UNCONFIRMED', 'REGISTRATION_MISSING']);

/**
 * The ERP's knowledge of an order from Kafka alone: the event with the highest revision, and after it the statuses
 * that the results of its own commands report. Null for an unknown order.
 */
export function erpEntry(
  events: readonly OrderEvent[],
  sent: readonly SentCommand[],
  resultsOf: (commandId: string) => readonly Result[],
): Entry | null {
  const newest = events.at(-1);
  if (newest === undefined) return null;
  const ends = sent.flatMap((command) => resultsOf(command.commandId).map((result) => ({ command, result })));
  const done = ends.filter(
    ({ result }) => hasWorked(result) && result.warnings.every(({ code }) => !NOT_INVOICED.has(code)),
  );
  const statusSet = done
    .filter(({ command, result }) => command.command in SETS_STATUS && (result.revision ?? 0) >= newest.revision)
    .toSorted((one, other) => String(one.result.finishedAt).localeCompare(String(other.result.finishedAt)))
    .at(-1);
  const isInvoiced =
    events.some(({ status }) => status.code === INVOICED) ||
    done.some(({ command }) => SETS_STATUS[command.command] === INVOICED);
  const value = sent.findLast(({ command }) => command === 'RegisterInvoice')?.value;
  return {
    status: statusSet === undefined ? newest.status.code : SETS_STATUS[statusSet.command.command]!,
    totals: totalsOf(newest.order.totals),
    items: itemsOf(newest.order.items),
    hasSomeItems: newest.cut?.includes('order.items') === true,
    invoice: isInvoiced && value !== undefined ? centsOf(value) : null,
  };
}

/** True if the platform has the state that the command requested. */
export function hasWorked({ outcome, correctedOutcome }: Result): boolean {
  return [outcome, correctedOutcome].some((each) => each === 'applied' || each === 'unchanged');
}

/** The same entry from Gondola's view for operators; the invoice's value is the order's total. */
export function gondolasEntry({ status, values, timeline }: OperatorsOrder): Entry {
  const total = values === null ? null : centsOf(values.totals.total);
  return {
    status: status?.code ?? null,
    totals: values === null ? {} : totalsOf(values.totals),
    items: values === null ? [] : itemsOf(values.items),
    invoice: timeline.some((entry) => entry.kind === 'fact' && entry.status?.code === INVOICED) ? total : null,
  };
}

/** The same entry from the shop's view. */
export function shopsEntry({ status, totals, items, invoice, invoiceFile }: ShopOrder): Entry {
  return {
    status,
    totals: totalsOf(totals),
    items: items
      .map(({ skuExternalReference, orderedQuantity, total }) => itemText(skuExternalReference, orderedQuantity, total))
      .toSorted(),
    invoice: invoice !== null && invoiceFile !== null ? invoice.value : null,
  };
}

/** Differences between two sides, in words. */
export function differences(one: Entry, other: Entry): string[] {
  const keys = ['status', 'totals', 'items', 'invoice'] as const;
  return keys
    .filter((key) => !(key === 'items' && one.hasSomeItems === true && areAllIn(one.items, other.items)))
    .map((key) => [key, JSON.stringify(one[key]), JSON.stringify(other[key])] as const)
    .filter(([, here, there]) => here !== there)
    .map(([key, here, there]) => `${key}: ${here}, and ${there}`);
}

function areAllIn(some: readonly string[], all: readonly string[]): boolean {
  const left = Map.groupBy(all, (item) => item);
  return some.length > 0 && some.every((item) => left.get(item)?.pop() !== undefined);
}

/** Problems with the results of one command; empty if it has exactly one outcome and at most one correction. */
export function outcomeProblems(results: readonly Result[]): string[] {
  const finals = results.filter(({ final, outcome }) => final && outcome !== 'corrected').map(({ outcome }) => outcome);
  const corrected = results.filter(({ outcome }) => outcome === 'corrected');
  const mayBeCorrected = finals[0] === 'unconfirmed' ? 1 : 0;
  return [
    ...(finals.length === 1 ? [] : [`final outcomes: ${finals.join(', ') || 'none'}`]),
    ...(corrected.length <= mayBeCorrected ? [] : [`${corrected.length} corrections of ${finals.join()}`]),
  ];
}

function totalsOf(totals: Readonly<Record<keyof OrderTotals, string | number>>): Record<string, number> {
  const { subtotal, discount, couponDiscount, giftCard, freight, total } = totals;
  const amounts = { subtotal, discount, couponDiscount, giftCard, freight, total };
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, centsOf(amount)]));
}

function itemsOf(items: OrderEvent['order']['items'] | NonNullable<OperatorsOrder['values']>['items']): string[] {
  return items
    .map(({ skuExternalReference, orderedQuantity, net }) =>
      itemText(skuExternalReference, orderedQuantity, net ?? 'none'),
    )
    .toSorted();
}

function itemText(sku: string | null, quantity: number | null, amount: string | number): string {
  return `${quantity} × ${sku}: ${centsOf(amount)}`;
}
