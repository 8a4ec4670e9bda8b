import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { OrderValues } from '../facts/order-values.ts';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { OpenSteps } from '../orders/open-steps.ts';
import type { OrderWatch } from '../orders/order-watch.ts';
import type { CommandProgress } from '../commands/command-progress.ts';
import type { UnconfirmedCommand } from '../orders/order-row.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { OrderState } from '../facts/order-state.ts';
import type { PdfCheck, PdfOutcome } from '../pdf-results/pdf-outcome.ts';
import type { CommandTurn, NamedTarget } from '../commands/decision.ts';
import type { JudgedCommand } from '../commands/order-command.ts';
import type { PublishedState } from '../orders/published-state.ts';

/** A command at the head of its queue, with its progress. */
export interface HeadCommand {
  readonly commandId: string;
  readonly traceparent: string;
  readonly judged: JudgedCommand;
  readonly progress: CommandProgress;
  readonly deadlineInMs: number | null;
  /** Result of the PDF check; null before it. */
  readonly pdfCheck: PdfCheck | null;
  /** Outcome of the PDF upload; null before it. */
  readonly pdfOutcome: PdfOutcome | null;
  /** The command of the same order that it names; null for none. */
  readonly named: NamedTarget | null;
}

/** Input of one step of an order's lane. */
export interface LaneSituation {
  readonly state: OrderState | null;
  /** The order's values from the newest notification; null without a state. */
  readonly values: OrderValues | null;
  /** Known SKUs of the order and of its commands. */
  readonly skus: readonly KnownSku[];
  /** The last known final price, decimal text; null for unknown. */
  readonly finalPrice: string | null;
  readonly published: PublishedState;
  /** `unconfirmed` commands without a correction. */
  readonly unconfirmed: readonly UnconfirmedCommand[];
  /** Operations of concluded commands, oldest first. */
  readonly pastOperationIds: readonly string[];
  readonly watch: OrderWatch | null;
  readonly openSteps: OpenSteps;
  /** The last stored status and the time since which it is known; null before the first. */
  readonly known: { readonly status: number | null; readonly since: string } | null;
  /** True if the newest payload shows a registered invoice. */
  readonly showsRegistration: boolean;
  /** True if the newest payload shows the PDF of the invoice. */
  readonly showsPdf: boolean;
  /** The oldest open command of each queue; queues beside the main one come first (rule 19). */
  readonly heads: readonly HeadCommand[];
  readonly nowMs: number;
  readonly isLagging: boolean;
  readonly language: Language;
}

/** Input for the decision about one command. */
export function turnOf(head: HeadCommand, situation: LaneSituation): CommandTurn {
  const { progress, deadlineInMs, pdfCheck, pdfOutcome, named } = head;
  const { state, values, skus, finalPrice, nowMs, isLagging, openSteps } = situation;
  const { attachedAt } = openSteps;
  const of = { progress, deadlineInMs, pdfCheck, pdfOutcome, named };
  const otherOperationIds = [
    ...situation.pastOperationIds,
    ...situation.unconfirmed.flatMap(({ operationIds }) => operationIds),
    ...situation.heads.flatMap((other) => (other.commandId === head.commandId ? [] : operationIdsOf(other.progress))),
  ];
  return { otherOperationIds, state, values, skus, finalPrice, nowMs, isLagging, attachedAt, ...of };
}

/** External references of the SKUs that a command names. */
export function skusNamedBy({ judged }: HeadCommand): readonly string[] {
  return judged.kind === 'valid' ? judged.definition.skusOf(judged.asked) : [];
}

/** Number of changing calls: this app's, and file-gateway's for its PDF. */
export function attemptsOf({ progress, pdfOutcome }: Pick<HeadCommand, 'progress' | 'pdfOutcome'>): number {
  return progress.attempts.length + (pdfOutcome?.attempts ?? 0);
}
