import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import { atDeadline, isWithinGrace, type RetrySettings } from '@gondola/shared/commands/retry';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { OrderValues } from '../facts/order-values.ts';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { Reason, ReasonCode, ReasonParams } from '@gondola/shared/outcomes/reason-codes';
import type { AttemptStep } from '../platform/order-calls.ts';
import type { CommandProgress, PayloadPurpose, ReadPurpose } from './command-progress.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { OrderState } from '../facts/order-state.ts';
import type { RegisteredInvoice, SentInvoice } from '../orders/which-invoice.ts';
import type { PdfCheck, PdfOutcome } from '../pdf-results/pdf-outcome.ts';

/** Time limits in milliseconds, and counts. */
export interface CommandSettings extends RetrySettings {
  /** Time from the first call of an invoice to `unconfirmed`. */
  readonly invoiceMs: number;
  /** Pause between the first two reads that look for an invoice; doubled with each further one. */
  readonly readBackMs: number;
  /** True if the wire profile says the line of a picked item (`<LINE>`). */
  readonly isByLine: boolean;
  /** Time in which a call whose caller has gone may still be carried out. */
  readonly lateCallMs: number;
}

/** Problem of one field, without its message. */
export interface Problem {
  readonly code: ReasonCode;
  readonly field: string;
  readonly skuExternalReference?: string;
  readonly params?: ReasonParams;
}

/** Conclusion of a command, without the messages of its reasons. */
export interface OrderConclusion {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason:
    | { readonly code: ReasonCode; readonly params?: ReasonParams; readonly hint?: string; readonly field?: string }
    /** Reason as another app gave it. */
    | { readonly given: Reason }
    | null;
  /** The platform's error object. */
  readonly platform: JsonValue;
  /** Status that the result publishes (rule 10); null for none. */
  readonly setsStatus: number | null;
  readonly problems?: readonly Problem[];
  readonly warnings?: readonly Problem[];
  /** Answer of a reading command. */
  readonly data?: JsonValue;
  /** Effect that is saved with the conclusion. */
  readonly effect?: CommandEffect;
}

/** Effect of a command inside Gondola, without a call. */
type CommandEffect =
  /** Creates the order without its 300 (rule 8). */
  | { readonly kind: 'release' }
  /** Concludes another command of the order as `withdrawn`. */
  | { readonly kind: 'withdraw'; readonly commandId: string };

/** Another command of the same order that a command names. */
export interface NamedTarget {
  readonly commandId: string;
  /** Null while it is open. */
  readonly outcome: FinalOutcome | null;
  /** True if a call for it may have reached the platform's queue. */
  readonly isSent: boolean;
}

/** Next action for an open command of an order. */
export type Decision =
  | { readonly kind: 'conclude'; readonly conclusion: OrderConclusion }
  /** `step` for a command with several calls. */
  | { readonly kind: 'send'; readonly step?: AttemptStep }
  | { readonly kind: 'read'; readonly purpose: ReadPurpose }
  | { readonly kind: 'read-payload'; readonly purpose: PayloadPurpose }
  | { readonly kind: 'check-pdf'; readonly content: ContentReference }
  /** Requests file-gateway to attach the PDF. */
  | { readonly kind: 'ask-pdf'; readonly orderId: string; readonly content: ContentReference }
  /** Null: waits until a fact or result is stored. */
  | { readonly kind: 'wait'; readonly ms: number | null };

/** Input of every command's decision. */
export interface CommandBasis {
  readonly state: OrderState | null;
  readonly progress: CommandProgress;
  /** Milliseconds left, by the database's clock; null before the first attempt. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  /** True while Kafka holds unread notifications: the outcome may be among them (rule 5). */
  readonly isLagging: boolean;
  /** Operations of the order's other commands, open or concluded: their failures say nothing about this one. */
  readonly otherOperationIds: readonly string[];
}

/** Further input for the decisions of some commands. */
export interface CommandTurn extends CommandBasis {
  /** The order's values from the newest notification; null without a state. */
  readonly values: OrderValues | null;
  /** Known SKUs of the order and of its commands. */
  readonly skus: readonly KnownSku[];
  /** The last known final price, decimal text; null for unknown. */
  readonly finalPrice: string | null;
  /** Result of the PDF check; null before file-gateway's answer. */
  readonly pdfCheck: PdfCheck | null;
  /** Outcome of the PDF upload; null before file-gateway's result. */
  readonly pdfOutcome: PdfOutcome | null;
  /** Time since which the order is known to have a PDF, RFC 3339; null for unknown. */
  readonly attachedAt: string | null;
  /** Time since which the order is known to have a registered invoice, RFC 3339; null for unknown. */
  readonly registeredAt: string | null;
  /** The registered invoices that the newest payload shows. */
  readonly shownInvoices: readonly ShownInvoice[];
  /** Invoices that earlier commands of the order have sent, the last one last. */
  readonly sentInvoices: readonly SentInvoice[];
  /** The invoice that this command registers; null for none. */
  readonly registration: RegisteredInvoice | null;
  /** The command that this one names; null for none, or if the order has no such command. */
  readonly named: NamedTarget | null;
}

/** Action at the deadline; `hasRead` is true once all required reads were made after it (rule 5). */
export function deadlineStep(basis: CommandBasis, hasRead: boolean, settings: CommandSettings) {
  const { deadlineInMs, isLagging: isBehind } = basis;
  const hasFailed = hasFailedSinceDeadline(basis);
  return atDeadline({ deadlineInMs, isBehind, hasRead, hasFailed }, settings.readGraceMs);
}

/** True while a read may still decide: until the grace time has passed, and once after any consumer lag. */
export function mayRead(basis: CommandBasis, settings: CommandSettings): boolean {
  return isWithinGrace(basis.deadlineInMs, settings.readGraceMs) || !hasFailedSinceDeadline(basis);
}

function hasFailedSinceDeadline({ progress: { failedAt }, nowMs, deadlineInMs }: CommandBasis): boolean {
  return failedAt !== null && deadlineInMs !== null && Date.parse(failedAt) >= nowMs + deadlineInMs;
}

/** Pause while the consumer lags behind. */
export const LAG_WAIT_MS = 1_000;

export function conclude(
  outcome: FinalOutcome,
  evidence: Evidence,
  reason: OrderConclusion['reason'] = null,
  platform: JsonValue = null,
): Decision & { kind: 'conclude' } {
  return { kind: 'conclude', conclusion: { outcome, evidence, reason, platform, setsStatus: null } };
}

/** Concludes a command as `invalid`; nothing was sent. */
export function invalid(code: ReasonCode, params?: ReasonParams, field?: string): Decision {
  return conclude('invalid', 'none', { code, ...(params && { params }), ...(field !== undefined && { field }) });
}

/** Concludes a sent command as `refused`, since the order's state overtook it. */
export function overtaken(evidence: Evidence): Decision {
  return conclude('refused', evidence, { code: 'ORDER_CANCELLED' });
}
