import { CONFIG } from '@gondola/service-kit/run/injected';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { MAX_ATTEMPTS } from '@gondola/shared/commands/retry';
import { applied, type Conclusion, invalid, refused, unchanged, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import { Inject, Injectable } from '@nestjs/common';
import type { UploadPdf } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import {
  called,
  type CommandTurn,
  concluded,
  concludedUnsent,
  type LaneWork,
  LOST_LANE,
  waits,
} from '../lanes/command-turn.service.ts';
import {
  decideUpload,
  knowsRefusal,
  type UploadDecision,
  type UploadSettings,
  uploadSettings,
} from '../platform/decide-upload.ts';
import { UploadAttempts } from '../platform/upload-attempts.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { holdPdf } from '../uploads/held-content.ts';
import { HoldUploads } from '../uploads/hold-uploads.service.ts';
import { InvoiceFilesRepository } from './invoice-files.repository.ts';
import { knownAfter, type PdfProgress, pdfProgressFromText, startPdf, withInvoice } from './pdf-progress.ts';

/** A reading that the platform refuses after something was sent is made again. */
const REFUSED_READ_WAIT_MS = 30_000;

/**
 * One step of an `UploadInvoicePdf` (rules 15, 16, 33). `decide-upload` decides. The order's file is looked for before
 * each attempt, so that at most one PDF is in effect, wherever a process ends. Content that Gondola attached already is
 * not sent again; other content replaces the file, whoever attached that.
 */
@Injectable()
export class UploadInvoicePdf {
  constructor(
    private readonly uploads: HoldUploads,
    private readonly attempts: UploadAttempts,
    private readonly invoiceFiles: InvoiceFilesRepository,
    private readonly platform: PlatformAdapter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times'>,
  ) {}

  async step(work: LaneWork, asked: UploadPdf): Promise<CommandTurn> {
    const stored = pdfProgressFromText(work.command.progress);
    if (stored !== null) return this.#goOn(work, asked, stored);
    const held = await this.uploads.hold(work, {
      uploadIds: [asked.pdf.uploadId],
      judge: (found) => holdPdf(asked.pdf, found, work.tenant.language),
      idsOf: ({ uploadId }) => [uploadId],
      progressText: (content) => JSON.stringify(startPdf(content)),
    });
    if (held === null) return LOST_LANE;
    if (held.kind === 'invalid') return concludedUnsent(invalid(held.errors));
    return this.#goOn(work, asked, startPdf(held.content));
  }

  async #goOn(work: LaneWork, asked: UploadPdf, progress: PdfProgress): Promise<CommandTurn> {
    const { sendings, reading } = progress;
    const { attempt, ...loaded } = await this.attempts.load(work, progress);
    const situation = { ...loaded, sendings, reading };
    const settings = this.#settings(work);
    const decision = decideUpload(situation, settings);
    if (decision.kind === 'wait') return waits(progress, decision.ms);
    if (decision.kind === 'catch-up') return this.attempts.catchUp(progress, decision.untilMs);
    if (decision.kind === 'read') return this.#read(work, asked, progress, knowsRefusal(situation));
    if (decision.kind === 'send') {
      const attempted = withAttempt(progress, attempt);
      return this.attempts.make(work, attempted, settings, () =>
        this.platform.uploadInvoice(asked, progress.pdf, work.call),
      );
    }
    return conclude(asked, progress, conclusionOf(decision, work.tenant.language));
  }

  /** An order has one invoice file: an upload of which nothing is seen may go again, since it replaces the first. */
  #settings({ tenant: { deadlines } }: LaneWork): UploadSettings {
    const resendSilentMs = deadlines.commandMs / MAX_ATTEMPTS;
    return { ...uploadSettings(this.config.times, deadlines), resendSilentMs };
  }

  async #read(work: LaneWork, asked: UploadPdf, progress: PdfProgress, afterRefusal: boolean): Promise<CommandTurn> {
    const { orderId } = asked;
    const answer = await this.platform.findInvoice(orderId, work.call);
    if (answer.kind === 'unavailable') return waits({ ...progress, blocked: answer.cause }, answer.retryAfterMs);
    if (answer.kind === 'refused') {
      if (progress.sendings.length > 0) return waits({ ...progress, blocked: 'read-refused' }, REFUSED_READ_WAIT_MS);
      // Nothing was sent: that the platform refuses the reading is the outcome.
      const platform = { statusCode: answer.status, message: answer.message };
      return conclude(asked, progress, refused(work.tenant.language, { evidence: 'none', platform }));
    }
    const known = await this.invoiceFiles.attachedSha256(work.lane.tenant, orderId);
    return called(withInvoice(progress, answer.value, known, this.attempts.reading(work, afterRefusal)));
  }
}

type Concluded = Exclude<UploadDecision, { kind: 'wait' | 'catch-up' | 'send' | 'read' }>;

function conclusionOf(decision: Concluded, language: Language): Conclusion {
  if (decision.kind === 'already-there') return unchanged();
  if (decision.kind === 'applied') return applied('read-back');
  if (decision.kind === 'presumed') return applied('presumed');
  if (decision.kind === 'unconfirmed') return unconfirmed(language);
  return refused(language, decision.refusal);
}

function conclude({ orderId }: UploadPdf, progress: PdfProgress, conclusion: Conclusion): CommandTurn {
  const { pdf, sendings } = progress;
  const sha256 = knownAfter(conclusion.outcome, pdf, sendings);
  return concluded(progress, conclusion, {
    release: [pdf.uploadId],
    ...(sha256 !== undefined && { invoice: { orderId, sha256 } }),
  });
}
