import type { Attempts } from '@gondola/messaging/commands/attempts';
import { operationIdsOf, withAnswer, withAttempt, withoutLastAttempt } from '@gondola/shared/commands/attempts';
import { applied, type Conclusion, invalid, refused, unchanged, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import { decideUpload, knowsRefusal, type UploadDecision, type UploadSettings } from '../lanes/decide-upload.ts';
import type { UploadPdf } from '../commands/file-command.ts';
import { holdPdf } from '../uploads/held-content.ts';
import { knownAfter } from './invoice-file.ts';
import { type PdfProgress, pdfProgressFromText, startPdf, withInvoice } from './pdf-progress.ts';
import {
  called,
  type CommandTurn,
  concluded,
  concludedUnsent,
  type Consumed,
  type LaneWork,
  LOST_LANE,
  takenBack,
  waits,
} from '../lanes/command-turn.service.ts';
import type { CallOptions, PlatformAdapter } from '../platform/platform.adapter.ts';
import type { FailuresRepository } from '../notifications/failures.repository.ts';
import type { InvoiceFilesRepository } from './invoice-files.repository.ts';
import { holdUploads, type HoldUploadsParts } from '../uploads/hold-uploads.service.ts';

export interface UploadInvoicePdfParts extends HoldUploadsParts {
  readonly failures: FailuresRepository;
  readonly invoiceFiles: InvoiceFilesRepository;
  readonly platform: PlatformAdapter;
  readonly language: Language;
  readonly settings: UploadSettings;
  readonly now: () => number;
  readonly consumed: Consumed;
  readonly attempts: Attempts;
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

  async step(work: LaneWork, asked: UploadPdf, options: CallOptions): Promise<CommandTurn> {
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

  async #goOn(turn: Turn, progress: PdfProgress): Promise<CommandTurn> {
    const { failures: store, settings, now, consumed } = this.#parts;
    const { lane, command } = turn.work;
    const { sendings, reading } = progress;
    const about = { tenant: lane.tenant, lane, commandRowId: command.id, operationIds: operationIdsOf(progress) };
    const { failures, newestId } = await store.ofCommand(about);
    const { deadlineInMs } = command;
    const situation = { sendings, reading, failures, deadlineInMs, nowMs: now(), consumedUpToMs: consumed.upTo() };
    const decision = decideUpload(situation, settings);
    if (decision.kind === 'wait') return waits(progress, decision.ms);
    if (decision.kind === 'catch-up') return waits(progress, consumed.ask(decision.untilMs));
    if (decision.kind === 'send') return this.#send(turn, progress, newestId);
    if (decision.kind === 'read') return this.#read(turn, progress, knowsRefusal(situation));
    return ended(turn.asked, progress, this.#conclusion(decision));
  }

  #conclusion(decision: Exclude<UploadDecision, { kind: 'wait' | 'catch-up' | 'send' | 'read' }>): Conclusion {
    const { language } = this.#parts;
    if (decision.kind === 'already-there') return unchanged();
    if (decision.kind === 'applied') return applied('read-back');
    if (decision.kind === 'presumed') return applied('presumed');
    return decision.kind === 'refused' ? refused(language, decision.refusal) : unconfirmed(language);
  }

  async #read(turn: Turn, progress: PdfProgress, afterRefusal: boolean): Promise<CommandTurn> {
    const { platform, invoiceFiles, now, language } = this.#parts;
    const { tenant } = turn.work.lane;
    const { orderId } = turn.asked;
    const answer = await platform.findInvoice(orderId, turn.options);
    if (answer.kind === 'unavailable') return waits({ ...progress, blocked: answer.cause }, answer.retryAfterMs);
    if (answer.kind === 'refused') {
      if (progress.sendings.length > 0) return waits({ ...progress, blocked: 'read-refused' }, REFUSED_READ_WAIT_MS);
      // Nothing was sent: the platform's no to the reading is the end.
      const platformError = { statusCode: answer.status, message: answer.message };
      return ended(turn.asked, progress, refused(language, { evidence: 'none', platform: platformError }));
    }
    const afterDeadline = (turn.work.command.deadlineInMs ?? 1) <= 0;
    const context = { at: new Date(now()).toISOString(), afterRefusal, afterDeadline };
    const known = await invoiceFiles.attachedSha256(tenant, orderId);
    return called(withInvoice(progress, answer.value, known, context));
  }

  async #send({ work, asked, options }: Turn, progress: PdfProgress, seenFailureId: string): Promise<CommandTurn> {
    const { platform, attempts, now, settings } = this.#parts;
    options.signal.throwIfAborted();
    const sending = withAttempt(progress, { at: new Date(now()).toISOString(), seenFailureId });
    const made = await attempts.make({ ...work, progress: JSON.stringify(sending) }, settings, () =>
      platform.uploadInvoice(asked, progress.pdf, options),
    );
    if (made === null) return LOST_LANE;
    const { answer } = made;
    if (answer.kind === 'unavailable') return takenBack(withoutLastAttempt(sending, answer.cause), answer);
    return called(withAnswer(sending, answer));
  }
}

function ended({ orderId }: UploadPdf, progress: PdfProgress, conclusion: Conclusion): CommandTurn {
  const { pdf, sendings } = progress;
  const sha256 = knownAfter(conclusion.outcome, pdf, sendings);
  return concluded(progress, conclusion, {
    release: [pdf.uploadId],
    ...(sha256 !== undefined && { invoice: { orderId, sha256 } }),
  });
}
