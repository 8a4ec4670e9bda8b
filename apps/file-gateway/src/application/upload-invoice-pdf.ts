import type { Language } from '@gondola/shared/results/reason-codes';
import { applied, type Conclusion, invalid, presumed, refused, unchanged, unconfirmed } from '../domain/conclusion.ts';
import { decideUpload, knowsRefusal, type UploadDecision, type UploadSettings } from '../domain/decide-upload.ts';
import type { UploadPdf } from '../domain/file-command.ts';
import { holdPdf } from '../domain/held-content.ts';
import { knownAfter } from '../domain/invoice-file.ts';
import {
  type PdfProgress,
  pdfProgressFromText,
  startPdf,
  withInvoice,
  withoutLastPdfSending,
  withPdfAnswer,
  withPdfSending,
} from '../domain/pdf-progress.ts';
import { operationIdsOf } from '../domain/sendings.ts';
import {
  CATCH_UP_MS,
  concludedUnsent,
  type ConsumedRecords,
  type LaneWork,
  LOST_LANE,
  type StepEnd,
} from './file-lane.ts';
import type { CallOptions, FilePlatform } from './file-platform.ts';
import type { FailureStore, InvoiceFileStore } from './file-stores.ts';
import { holdUploads, type HoldUploadsParts } from './hold-uploads.ts';
import { afterSending, sendFile } from './send-file.ts';

export interface UploadInvoicePdfParts extends HoldUploadsParts {
  readonly failures: FailureStore;
  readonly invoiceFiles: InvoiceFileStore;
  readonly platform: FilePlatform;
  readonly language: Language;
  readonly settings: UploadSettings;
  readonly now: () => number;
  readonly consumed: ConsumedRecords;
}

/** A command's turn: what does not change while it lasts. */
interface Turn {
  readonly work: LaneWork;
  readonly asked: UploadPdf;
  readonly options: CallOptions;
}

/** A reading that the platform says no to after something was sent is made again. */
const REFUSED_READ_WAIT_MS = 30_000;

/**
 * One step of an `UploadInvoicePdf` (rules 15, 16, 33): what is decided is `decide-upload`'s. The order's file is
 * looked for before each sending, so that at most one PDF is in effect, wherever a process ends. Content that Gondola
 * attached already is not sent again; other content replaces the file, whoever attached it.
 */
export class UploadInvoicePdf {
  readonly #parts: UploadInvoicePdfParts;

  constructor(parts: UploadInvoicePdfParts) {
    this.#parts = parts;
  }

  async step(work: LaneWork, asked: UploadPdf, options: CallOptions): Promise<StepEnd> {
    const turn = { work, asked, options };
    const stored = pdfProgressFromText(work.command.progress);
    if (stored !== null) return this.#goOn(turn, stored);
    const held = await holdUploads(this.#parts, work, {
      uploadIds: [asked.pdf.uploadId],
      judge: (found) => holdPdf(asked.pdf, found, this.#parts.language),
      idsOf: ({ uploadId }) => [uploadId],
      progressText: (content) => JSON.stringify(startPdf(content)),
    });
    if (held === null) return LOST_LANE;
    if (held.kind === 'invalid') return concludedUnsent(invalid(held.errors));
    return this.#goOn(turn, startPdf(held.content));
  }

  /**
   * Decides until something has to be saved. Each reading and each answer brings the next decision further, so this
   * ends.
   */
  async #goOn(turn: Turn, progress: PdfProgress): Promise<StepEnd> {
    const { failures: store, settings, now, consumed } = this.#parts;
    const { lane, command } = turn.work;
    const { sendings, reading } = progress;
    const about = { tenant: lane.tenant, lane, commandRowId: command.id, operationIds: operationIdsOf(sendings) };
    const { failures, newestId } = await store.ofCommand(about);
    const { deadlineInMs } = command;
    const situation = { sendings, reading, failures, deadlineInMs, nowMs: now(), consumedUpToMs: consumed.upTo() };
    const decision = decideUpload(situation, settings);
    if (decision.kind === 'wait') return waiting(progress, decision.ms);
    if (decision.kind === 'catch-up') return this.#catchUp(progress);
    if (decision.kind === 'send') return this.#send(turn, progress, newestId);
    if (decision.kind === 'read') return this.#read(turn, progress, knowsRefusal(situation));
    return concluded(turn.asked, progress, this.#conclusion(decision));
  }

  #conclusion(decision: Exclude<UploadDecision, { kind: 'wait' | 'catch-up' | 'send' | 'read' }>): Conclusion {
    const { language } = this.#parts;
    if (decision.kind === 'already-there') return unchanged();
    if (decision.kind === 'applied') return applied();
    if (decision.kind === 'presumed') return presumed();
    return decision.kind === 'refused' ? refused(language, decision.refusal) : unconfirmed(language);
  }

  #catchUp(progress: PdfProgress): StepEnd {
    this.#parts.consumed.ask();
    return waiting(progress, CATCH_UP_MS);
  }

  async #read(turn: Turn, progress: PdfProgress, afterRefusal: boolean): Promise<StepEnd> {
    const { platform, invoiceFiles, now, language } = this.#parts;
    const { tenant } = turn.work.lane;
    const { orderId } = turn.asked;
    const answer = await platform.findInvoice(orderId, turn.options);
    if (answer.kind === 'unavailable') return waiting({ ...progress, blocked: answer.cause }, answer.retryAfterMs);
    if (answer.kind === 'refused') {
      if (progress.sendings.length > 0) return waiting({ ...progress, blocked: 'read-refused' }, REFUSED_READ_WAIT_MS);
      const platformError = { statusCode: answer.status, message: answer.message };
      return concluded(turn.asked, progress, refused(language, { evidence: 'none', platform: platformError }));
    }
    const afterDeadline = (turn.work.command.deadlineInMs ?? 1) <= 0;
    const context = { at: new Date(now()).toISOString(), afterRefusal, afterDeadline };
    const known = await invoiceFiles.attachedSha256(tenant, orderId);
    return this.#goOn(turn, withInvoice(progress, answer.value, known, context));
  }

  async #send(turn: Turn, progress: PdfProgress, newestFailureId: string): Promise<StepEnd> {
    const { platform, now, settings } = this.#parts;
    const { work, asked, options } = turn;
    options.signal.throwIfAborted();
    const sending = withPdfSending(progress, new Date(now()).toISOString(), newestFailureId);
    const answer = await sendFile({ ...this.#parts, ...settings }, work, JSON.stringify(sending), () =>
      platform.uploadInvoice(asked, progress.pdf, options),
    );
    if (answer === null) return LOST_LANE;
    if (answer.kind === 'unavailable') {
      return { ...waiting(withoutLastPdfSending(sending, answer.cause), answer.retryAfterMs), notSent: true };
    }
    const sent = { ...turn, work: afterSending(work, settings.deadlineMs) };
    return this.#goOn(sent, withPdfAnswer(sending, answer));
  }
}

function waiting(progress: PdfProgress, ms: number): Extract<StepEnd, { kind: 'wait' }> {
  const operationIds = operationIdsOf(progress.sendings);
  return { kind: 'wait', progress: { text: JSON.stringify(progress), operationIds }, ms };
}

function concluded({ orderId }: UploadPdf, { pdf, sendings }: PdfProgress, conclusion: Conclusion): StepEnd {
  const operationIds = operationIdsOf(sendings);
  const sha256 = knownAfter(conclusion.outcome, pdf, sendings);
  return {
    kind: 'concluded',
    conclusion,
    attempts: sendings.length,
    operationIds,
    held: [pdf.uploadId],
    ...(sha256 !== undefined && { invoice: { orderId, sha256 } }),
  };
}
