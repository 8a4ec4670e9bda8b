import { ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import type { Mark } from '../commands/command-progress.ts';
import type { CommandBasis } from '../commands/decision.ts';
import type { OrderFact } from '../notifications/order-fact.ts';
import type { PdfCheck, PdfOutcome } from './pdf-outcome.ts';
import { answersTo, isOurs } from '../commands/sent-change.ts';

export interface InvoiceSituation extends CommandBasis {
  /** The value that is registered, decimal text; null where only a PDF is attached. */
  readonly value: string | null;
  readonly pdf: ContentReference | null;
  /** The order's final price, as last known; null for unknown. */
  readonly finalPrice: string | null;
  /** Whether the PDF can be attached; null while the file gateway has not said. */
  readonly pdfCheck: PdfCheck | null;
  /** What the file gateway said of the PDF; null while it said nothing. */
  readonly pdfOutcome: PdfOutcome | null;
}

/**
 * The 350 that an open saga has reached, which is no news while the saga lasts: its result tells it, or, if the saga
 * ends otherwise, the event that follows then (rule 10).
 */
export function invoicedByCommand({ state, progress }: Pick<InvoiceSituation, 'state' | 'progress'>): OrderFact | null {
  const marks = marksOf({ progress });
  const reached = (state?.facts ?? []).filter((fact) => !fact.failure && fact.status === ORDER_INVOICED);
  return reached.find((fact) => isOurs(fact, progress) || marks.some((mark) => answersTo(fact, mark))) ?? null;
}

function marksOf({ progress }: Pick<InvoiceSituation, 'progress'>): Mark[] {
  return [...progress.sendings, ...(progress.pdfAsked === null ? [] : [progress.pdfAsked])];
}

/** What was written down first; null before anything was. */
export function firstMark({ progress: { sendings, pdfAsked } }: Pick<InvoiceSituation, 'progress'>): Mark | null {
  return sendings[0] ?? pdfAsked;
}
