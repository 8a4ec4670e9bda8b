import {
  BEYOND_INVOICE,
  CANCELLATION_ANALYSIS,
  ENDS_INVOICING,
  NOT_TO_BE_CREATED,
  PAYMENT_APPROVED,
} from '@gondola/shared/orders/order-statuses';
import type { OpenSteps } from '../orders/order-row.ts';
import { isSameInvoice, type SentInvoice } from '../orders/which-invoice.ts';
import type { AttentionCode } from '@gondola/shared/orders/order-event.dto';
import type { Attention } from '../orders/order-event.ts';
import { type OrderState, statusOf, wasInvoiced } from '../facts/order-state.ts';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';

/** Longest stay of an order in each state, in milliseconds; null for no limit. */
export interface TimeLimits {
  readonly notPreparedMs: number | null;
  readonly pickingUnconfirmedMs: number | null;
  readonly pdfMissingMs: number | null;
  readonly notInvoicedMs: number | null;
  readonly cancelUnfinishedMs: number | null;
  readonly refundUnfinishedMs: number | null;
}

export interface LimitedOrder {
  readonly state: OrderState;
  /** True if the order is, or is about to be, created in the ERP: limits apply to no others. */
  readonly isCreated: boolean;
  /** Time since which Gondola knows the status, RFC 3339. */
  readonly statusSince: string;
  readonly openSteps: OpenSteps;
  /** True while a sent command of the order is open. */
  readonly isSending: boolean;
}

interface Wait extends Attention {
  readonly limitMs: number | null;
}

const REFUND_IN_PROGRESS = 1100;
const PICKED_IN: ReadonlySet<number> = new Set([PAYMENT_APPROVED, 400]);

/**
 * Finds exceeded time limits of an order and who must act. A limit runs from the time at which Gondola learnt of the
 * state, not from the platform's date: the ERP cannot act on an unpublished state.
 *
 *   300, no 400 ─────────────────────────────▶ NOT_PREPARED          erp, or platform while a command is under way
 *   a picking sent, no 1300 ─────────────────▶ PICKING_UNCONFIRMED   platform
 *   an invoice registered, no PDF, 350 or not ▶ PDF_MISSING          erp, or gondola while its command is open
 *   registered with its PDF, no 350 ─────────▶ NOT_INVOICED          platform, or gondola while its command is open
 *   ready, shipped or delivered, no invoice ─▶ NOT_INVOICED          erp
 *   750, no 800 ─────────────────────────────▶ CANCEL_UNFINISHED     platform
 *   1100, no 1200 ───────────────────────────▶ REFUND_UNFINISHED     platform
 */
export function overdue(
  order: LimitedOrder,
  limits: TimeLimits,
  nowMs: number,
): { readonly attention: readonly Attention[]; readonly nextInMs: number | null } {
  const waits = order.isCreated ? waitsOf(order, limits) : [];
  const left = waits.flatMap(({ limitMs, ...attention }) =>
    limitMs === null ? [] : [{ attention, inMs: Date.parse(attention.since) + limitMs - nowMs }],
  );
  const ahead = left.flatMap(({ inMs }) => (inMs > 0 ? [inMs] : []));
  return {
    attention: left.flatMap(({ attention, inMs }) => (inMs > 0 ? [] : [attention])),
    nextInMs: ahead.length === 0 ? null : Math.min(...ahead),
  };
}

function waitsOf(order: LimitedOrder, limits: TimeLimits): Wait[] {
  const { state, statusSince: since, isSending } = order;
  const status = statusOf(state);
  if (status === CANCELLATION_ANALYSIS)
    return [{ code: 'CANCEL_UNFINISHED', since, waitsFor: 'platform', limitMs: limits.cancelUnfinishedMs }];
  if (status === REFUND_IN_PROGRESS)
    return [{ code: 'REFUND_UNFINISHED', since, waitsFor: 'platform', limitMs: limits.refundUnfinishedMs }];
  if (status === null || ENDS_INVOICING.has(status) || NOT_TO_BE_CREATED.has(status)) return [];
  const preparation: Wait[] =
    status === PAYMENT_APPROVED
      ? [{ code: 'NOT_PREPARED', since, waitsFor: isSending ? 'platform' : 'erp', limitMs: limits.notPreparedMs }]
      : [];
  return [...preparation, ...pickingWaits(order, status, limits), ...invoiceWaits(order, status, limits)];
}

function pickingWaits({ openSteps }: LimitedOrder, status: number, limits: TimeLimits): Wait[] {
  const { pickingSince: since } = openSteps;
  if (since === null || !PICKED_IN.has(status)) return [];
  return [{ code: 'PICKING_UNCONFIRMED', since, waitsFor: 'platform', limitMs: limits.pickingUnconfirmedMs }];
}

function invoiceWaits(order: LimitedOrder, status: number, limits: TimeLimits): Wait[] {
  const { state, openSteps, isSending, statusSince } = order;
  const { registeredAt, attachedAt } = openSteps;
  const { pdfMissingMs, notInvoicedMs } = limits;
  const isInvoiced = wasInvoiced(state);
  if (registeredAt === null) {
    if (isInvoiced || !BEYOND_INVOICE.has(status)) return [];
    return [{ code: 'NOT_INVOICED', since: statusSince, waitsFor: 'erp', limitMs: notInvoicedMs }];
  }
  if (attachedAt === null) {
    const waitsFor = isSending ? 'gondola' : 'erp';
    return [{ code: 'PDF_MISSING', since: registeredAt, waitsFor, limitMs: pdfMissingMs }];
  }
  if (isInvoiced) return [];
  const waitsFor = isSending ? 'gondola' : 'platform';
  return [{ code: 'NOT_INVOICED', since: attachedAt, waitsFor, limitMs: notInvoicedMs }];
}

/** Codes for which a read of the status may show that only a notification was lost. */
const READ_BEFORE: ReadonlySet<AttentionCode> = new Set(['NOT_PREPARED', 'NOT_INVOICED', 'REFUND_UNFINISHED']);

/** True if the status is read before the attention is published. */
export function isReadBefore({ code }: Attention): boolean {
  return READ_BEFORE.has(code);
}

/** Progress of a picking or invoice command. */
export interface StepOfCommand {
  readonly name: string;
  /** Time of the first attempt; null before. */
  readonly sentAt: string | null;
  /** Time since which the platform shows the registration, or the saga has passed it; null before. */
  readonly registeredAt: string | null;
  readonly isRegistrationRefused: boolean;
  readonly isAttached: boolean;
  /** Null while it is open. */
  readonly outcome: FinalOutcome | null;
  /** The invoice that it has sent, once it is concluded; null for none. */
  readonly sentInvoice?: SentInvoice | null;
}

/** Facts of an order beside its commands. */
export interface SeenOfOrder {
  /** True if the newest payload shows an invoice. */
  readonly showsRegistration: boolean;
  /** True if the newest payload shows its PDF. */
  readonly showsPdf: boolean;
  /** True if the order was 350: that registration is somebody else's, unless a command's is known. */
  readonly isInvoiced: boolean;
  /** True if this step publishes a 1300. */
  readonly isRecalculated: boolean;
  readonly nowMs: number;
}

const PICKING = 'ReportPicking';
const INVOICE = 'RegisterInvoice';

/** The open steps after a step of the lane. */
export function nextOpenSteps(known: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder): OpenSteps {
  const now = new Date(seen.nowMs).toISOString();
  const invoices = sentInvoices(known, commands);
  return {
    ...(invoices.length > 0 && { invoices }),
    pickingSince: pickingSince(known, commands, seen),
    registeredAt: registeredAt(known, commands, seen),
    attachedAt: known.attachedAt ?? (seen.showsPdf || commands.some(({ isAttached }) => isAttached) ? now : null),
  };
}

/** Most invoices of an order that are remembered. */
const MAX_INVOICES = 10;

/** An invoice that was sent again is the last one again; a lost call of it may still be carried out. */
function sentInvoices({ invoices: known = [] }: OpenSteps, commands: readonly StepOfCommand[]): readonly SentInvoice[] {
  const added = commands.flatMap(({ sentInvoice }) => sentInvoice ?? []);
  if (added.length === 0) return known;
  const others = known.filter((each) => !added.some((one) => isSameInvoice(each.invoice, one.invoice)));
  const again = added.map((one) => {
    const before = known.filter((each) => isSameInvoice(each.invoice, one.invoice));
    return { ...one, lostAt: latest([one, ...before]) };
  });
  return [...others, ...again].slice(-MAX_INVOICES);
}

/** Time of the last call that may still be carried out, RFC 3339 in UTC; null for none. */
function latest(sent: readonly SentInvoice[]): string | null {
  return (
    sent
      .flatMap(({ lostAt }) => lostAt ?? [])
      .toSorted()
      .at(-1) ?? null
  );
}

/** Time of an open picking: its 1300 or any outcome except `unconfirmed` finishes it. */
function pickingSince(known: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder): string | null {
  const picking = commands.find(({ name }) => name === PICKING);
  const before = seen.isRecalculated ? null : known.pickingSince;
  if (picking === undefined || picking.sentAt === null) return before;
  const isOpen = picking.outcome === null || picking.outcome === 'unconfirmed';
  return isOpen && !seen.isRecalculated ? picking.sentAt : null;
}

/** Time of the registration. A refusal takes back what its own saga had passed, not an earlier registration. */
function registeredAt({ registeredAt: known }: OpenSteps, commands: readonly StepOfCommand[], seen: SeenOfOrder) {
  const invoice = commands.find(({ name }) => name === INVOICE);
  const isTakenBack = invoice?.isRegistrationRefused === true && known === invoice.registeredAt;
  if (known !== null && !isTakenBack) return known;
  const now = new Date(seen.nowMs).toISOString();
  if (seen.showsRegistration && !seen.isInvoiced) return now;
  if (invoice === undefined || invoice.isRegistrationRefused) return null;
  return invoice.registeredAt ?? (invoice.outcome === 'applied' && invoice.sentAt !== null ? now : null);
}
