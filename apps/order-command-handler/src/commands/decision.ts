import { atDeadline, isWithinGrace, type RetrySettings } from '@gondola/shared/commands/retry';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { OrderValues } from '../values/order-values.ts';
import type { Evidence, FinalOutcome } from '@gondola/shared/results/outcomes';
import type { Reason, ReasonCode, ReasonParams } from '@gondola/shared/results/reason-codes';
import type { WatchSettings } from '../watch/order-watch.ts';
import type { TimeLimits } from '../watch/time-limits.ts';
import type { AttemptStep } from '../platform/order-calls.ts';
import type { CommandProgress, PayloadPurpose, ReadPurpose } from './command-progress.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { OrderState } from '../orders/order-state.ts';
import type { PdfCheck, PdfOutcome } from '../invoices/pdf-outcome.ts';

/** How long things may take. All in milliseconds but the counts. */
export interface CommandSettings extends RetrySettings {
  /** From the first call of an invoice to its end without an outcome. */
  readonly invoiceMs: number;
  /** Between two readings of an order that stays in 750. */
  readonly watch: WatchSettings;
  /** How long an order may stay where it is before somebody is called. */
  readonly limits: TimeLimits;
  /** From the first reading that an invoice shows in to the second; doubled with each further one. */
  readonly readBackMs: number;
}

/** Something about one field, before it has its sentence. */
export interface Problem {
  readonly code: ReasonCode;
  readonly field: string;
  readonly skuExternalReference?: string;
  readonly params?: ReasonParams;
}

/** How a command ends, before its reasons have their sentences. */
export interface OrderConclusion {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason:
    | { readonly code: ReasonCode; readonly params?: ReasonParams; readonly hint?: string; readonly field?: string }
    /** As another app gave it. */
    | { readonly given: Reason }
    | null;
  /** The platform's error object. */
  readonly platform: JsonValue;
  /** The status that this result publishes (rule 10); null for none. */
  readonly setsStatus: number | null;
  readonly problems?: readonly Problem[];
  readonly warnings?: readonly Problem[];
  /** The answer of a command that reads. */
  readonly data?: JsonValue;
  /** What else is saved with it. */
  readonly effect?: CommandEffect;
}

/** What a command brings about in Gondola alone. */
type CommandEffect =
  /** The order is created although its 300 never came (rule 8). */
  | { readonly kind: 'release' }
  /** Another command of the order ends `withdrawn`. */
  | { readonly kind: 'withdraw'; readonly commandId: string };

/** The command of the same order that a command is about. */
export interface NamedTarget {
  readonly commandId: string;
  /** Null while it is open. */
  readonly outcome: FinalOutcome | null;
  /** Something was sent for it that may have reached the platform's queue. */
  readonly isSent: boolean;
}

/** What is to be done next for an open command of an order. */
export type Decision =
  | { readonly kind: 'conclude'; readonly conclusion: OrderConclusion }
  /** `step` where a command has several. */
  | { readonly kind: 'send'; readonly step?: AttemptStep }
  | { readonly kind: 'read'; readonly purpose: ReadPurpose }
  | { readonly kind: 'read-payload'; readonly purpose: PayloadPurpose }
  /** The file gateway is asked whether the PDF can be attached. */
  | { readonly kind: 'check-pdf'; readonly content: ContentReference }
  /** The file gateway is asked to attach the PDF. */
  | { readonly kind: 'ask-pdf'; readonly orderId: string; readonly content: ContentReference }
  /** Null: until something is stored. */
  | { readonly kind: 'wait'; readonly ms: number | null };

/** What every command's decision looks at. */
export interface CommandBasis {
  readonly state: OrderState | null;
  readonly progress: CommandProgress;
  /** Milliseconds left, by the database's clock; null before the first attempt. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  /** Notifications wait in Kafka that this process has not stored yet: the outcome may be among them (rule 5). */
  readonly isLagging: boolean;
}

/** What a command's decision may look at besides. */
export interface CommandTurn extends CommandBasis {
  /** The order's values by the newest notification; null while there is no state. */
  readonly values: OrderValues | null;
  /** What the catalog knows of its SKUs, and of those that its commands name. */
  readonly skus: readonly KnownSku[];
  /** The order's final price as last known, decimal text; null for unknown. */
  readonly finalPrice: string | null;
  /** Whether the command's PDF can be attached; null while the file gateway has not said. */
  readonly pdfCheck: PdfCheck | null;
  /** What the file gateway said of the PDF; null while it said nothing. */
  readonly pdfOutcome: PdfOutcome | null;
  /** The command that it is about; null where it is about none, or none of the order has that id. */
  readonly named: NamedTarget | null;
}

/** What the deadline asks for; `hasRead`: all that it has to be read for was read since (rule 5). */
export function deadlineStep(basis: CommandBasis, hasRead: boolean, settings: CommandSettings) {
  const { deadlineInMs, isLagging: isBehind } = basis;
  const hasFailed = hasFailedSinceDeadline(basis);
  return atDeadline({ deadlineInMs, isBehind, hasRead, hasFailed }, settings.readGraceMs);
}

/** Whether a reading is worth waiting for: until the grace has passed, and once even if catching up took longer. */
export function mayRead(basis: CommandBasis, settings: CommandSettings): boolean {
  return isWithinGrace(basis.deadlineInMs, settings.readGraceMs) || !hasFailedSinceDeadline(basis);
}

function hasFailedSinceDeadline({ progress: { failedAt }, nowMs, deadlineInMs }: CommandBasis): boolean {
  return failedAt !== null && deadlineInMs !== null && Date.parse(failedAt) >= nowMs + deadlineInMs;
}

/** While notifications are still on their way in. */
export const LAG_WAIT_MS = 1_000;

export function conclude(
  outcome: FinalOutcome,
  evidence: Evidence,
  reason: OrderConclusion['reason'] = null,
  platform: JsonValue = null,
): Decision & { kind: 'conclude' } {
  return { kind: 'conclude', conclusion: { outcome, evidence, reason, platform, setsStatus: null } };
}

/** Stopped by Gondola: nothing was sent. */
export function invalid(code: ReasonCode, params?: ReasonParams, field?: string): Decision {
  return conclude('invalid', 'none', { code, ...(params && { params }), ...(field !== undefined && { field }) });
}

/** The order's state went past the command after it was sent. */
export function overtaken(evidence: Evidence): Decision {
  return conclude('refused', evidence, { code: 'ORDER_CANCELLED' });
}
