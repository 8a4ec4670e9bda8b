import type { OrderValues } from '../values/order-values.ts';
import type { Language } from '@gondola/shared/results/reason-codes';
import type { OpenSteps } from '../watch/open-steps.ts';
import type { OrderWatch } from '../watch/order-watch.ts';
import type { CommandProgress } from '../commands/command-progress.ts';
import type { UnconfirmedCommand } from '../commands/corrections.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { OrderState } from '../orders/order-state.ts';
import type { PdfCheck, PdfOutcome } from '../invoices/pdf-outcome.ts';
import type { CommandTurn, NamedTarget } from '../commands/decision.ts';
import type { JudgedCommand } from '../commands/order-command.ts';
import type { PublishedState } from '../orders/published-state.ts';

/** A command of an order whose turn it is, and how far it is. */
export interface HeadCommand {
  readonly commandId: string;
  readonly traceparent: string;
  readonly judged: JudgedCommand;
  readonly progress: CommandProgress;
  readonly deadlineInMs: number | null;
  /** What the file gateway said when it was asked whether the PDF can be attached. */
  readonly pdfCheck: PdfCheck | null;
  /** What the file gateway said of its PDF. */
  readonly pdfOutcome: PdfOutcome | null;
  /** The command that it is about, where it is about another one of the order. */
  readonly named: NamedTarget | null;
}

/** All that one step of an order's lane looks at. */
export interface LaneSituation {
  readonly state: OrderState | null;
  /** The order's values by the newest notification; null while there is no state. */
  readonly values: OrderValues | null;
  /** What the catalog knows of its SKUs, and of those that its commands name. */
  readonly skus: readonly KnownSku[];
  /** The order's final price as last known, decimal text; null for unknown. */
  readonly finalPrice: string | null;
  readonly published: PublishedState;
  /** Commands that ended `unconfirmed` and were not corrected yet. */
  readonly unconfirmed: readonly UnconfirmedCommand[];
  readonly watch: OrderWatch | null;
  readonly openSteps: OpenSteps;
  /** The status that was stored last, and since when it is known; null before the first. */
  readonly known: { readonly status: number | null; readonly since: string } | null;
  /** The newest payload shows that an invoice is registered. */
  readonly showsRegistration: boolean;
  /** The oldest open command of each queue; those that go beside the others come first (rule 19). */
  readonly heads: readonly HeadCommand[];
  readonly nowMs: number;
  readonly isLagging: boolean;
  readonly language: Language;
}

/** What the decision about one of its commands looks at. */
export function turnOf(head: HeadCommand, situation: LaneSituation): CommandTurn {
  const { progress, deadlineInMs, pdfCheck, pdfOutcome, named } = head;
  const { state, values, skus, finalPrice, nowMs, isLagging } = situation;
  return { state, values, skus, finalPrice, progress, deadlineInMs, nowMs, isLagging, pdfCheck, pdfOutcome, named };
}

/** Attempts at what changes something: this app's, and those that the file gateway made for it. */
export function attemptsOf({ progress, pdfOutcome }: Pick<HeadCommand, 'progress' | 'pdfOutcome'>): number {
  return progress.attempts.length + (pdfOutcome?.attempts ?? 0);
}
