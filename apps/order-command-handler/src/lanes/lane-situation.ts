import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { OrderValues } from '../facts/order-values.ts';
import type { CommandProgress } from '../commands/command-progress.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { OrderState } from '../facts/order-state.ts';
import type { PdfCheck, PdfOutcome } from '../pdf-results/pdf-outcome.ts';
import type { CommandTurn, NamedTarget } from '../commands/decision.ts';
import type { OrderRow } from '../orders/order-row.ts';
import type { JudgedCommand } from '../commands/order-command.ts';

/** A command at the head of its queue, with its progress. */
export interface HeadCommand {
  readonly commandId: string;
  readonly traceparent: string;
  readonly judged: JudgedCommand;
  readonly progress: CommandProgress;
  readonly deadlineInMs: number | null;
  readonly pdfCheck: PdfCheck | null;
  /** Outcome of the PDF upload; null before it. */
  readonly pdfOutcome: PdfOutcome | null;
  /** The command of the same order that it names; null for none. */
  readonly named: NamedTarget | null;
}

/** An order's lane as one of its steps has loaded it: the input of the step's plan. */
export interface LaneSituation {
  readonly state: OrderState | null;
  /** The order's values from the newest notification; null without a state. */
  readonly values: OrderValues | null;
  /** Known SKUs of the order and of its commands. */
  readonly skus: readonly KnownSku[];
  /** The last known final price, decimal text; null for unknown. */
  readonly finalPrice: string | null;
  /** The registered invoices that the newest payload shows. */
  readonly shownInvoices: readonly ShownInvoice[];
  /** True if the newest payload shows the PDF of the invoice. */
  readonly showsPdf: boolean;
  /** The order's row, before the first save a new one. */
  readonly row: OrderRow;
  /** The oldest open command of each queue; queues beside the main one come first (rule 19). */
  readonly heads: readonly HeadCommand[];
}

/** The moment at which a step is planned. */
export interface StepMoment {
  readonly nowMs: number;
  /** True while Kafka holds unread notifications: the outcome of a command may be among them (rule 5). */
  readonly isLagging: boolean;
}

/** Input for the decision about one command. */
export function turnOf(head: HeadCommand, situation: LaneSituation, moment: StepMoment): CommandTurn {
  const { pastOperationIds, unconfirmed, openSteps } = situation.row;
  const otherOperationIds = [
    ...pastOperationIds,
    ...unconfirmed.flatMap(({ operationIds }) => operationIds),
    ...situation.heads.flatMap((other) => (other.commandId === head.commandId ? [] : operationIdsOf(other.progress))),
  ];
  const { attachedAt, registeredAt, invoices: sentInvoices = [] } = openSteps;
  const { judged } = head;
  const registration = judged.kind === 'valid' ? (judged.definition.registrationOf?.(judged.asked) ?? null) : null;
  const invoices = { attachedAt, registeredAt, sentInvoices, registration };
  return { ...situation, ...head, ...moment, ...invoices, otherOperationIds };
}

/** External references of the SKUs that a command names. */
export function skusNamedBy({ judged }: HeadCommand): readonly string[] {
  return judged.kind === 'valid' ? judged.definition.skusOf(judged.asked) : [];
}

/** Number of changing calls: this app's, and file-gateway's for its PDF. */
export function attemptsOf({ progress, pdfOutcome }: Pick<HeadCommand, 'progress' | 'pdfOutcome'>): number {
  return progress.attempts.length + (pdfOutcome?.attempts ?? 0);
}
