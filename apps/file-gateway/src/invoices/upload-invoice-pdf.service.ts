import { CONFIG } from '@gondola/service-kit/config/injected';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { type Conclusion, invalid } from '@gondola/shared/results/conclusion';
import { Inject, Injectable } from '@nestjs/common';
import type { UploadPdf } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import { type FileStep, concluded, concludedUnsent, type LaneWork, LOST_LANE } from '../commands/file-step.ts';
import { decideUpload, knowsRefusal, repeatable, uploadSettings } from '../platform/decide-upload.ts';
import { UploadAttempts } from '../commands/upload-attempts.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { holdPdf } from '../uploads/held-content.ts';
import { HoldUploads } from '../uploads/hold-uploads.service.ts';
import { CheckContents } from '../contents/check-contents.service.ts';
import { FetchContents } from '../fetching/fetch-contents.service.ts';
import { InvoiceFilesRepository } from './invoice-files.repository.ts';
import { knownAfter, type PdfProgress, pdfProgressFromText, startPdf, withInvoice } from './pdf-progress.ts';

/**
 * One step of an `UploadInvoicePdf` (rules 15, 16, 33). `decide-upload` decides. The order's file is read before
 * each attempt, so that at most one PDF is in effect, wherever a process ends. Content that Gondola attached
 * already is not sent again; other content replaces the file, whoever attached it.
 */
@Injectable()
export class UploadInvoicePdf {
  constructor(
    private readonly contents: FetchContents,
    private readonly checks: CheckContents,
    private readonly uploads: HoldUploads,
    private readonly attempts: UploadAttempts,
    private readonly invoiceFiles: InvoiceFilesRepository,
    private readonly platform: PlatformAdapter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times'>,
  ) {}

  async step(work: LaneWork, asked: UploadPdf): Promise<FileStep> {
    const stored = pdfProgressFromText(work.command.progress);
    if (stored !== null) return this.#goOn(work, asked, stored);
    const rules = { otherwise: 'NOT_PDF', commandId: asked.parentCommandId } as const;
    const brought = await this.contents.bring(work, [asked.pdf], rules);
    if (brought.kind === 'step') return brought.step;
    const named = brought.uploads[0]!;
    const faults = await this.checks.faults(work.lane.tenant, [named]);
    const held = await this.uploads.hold(work, {
      uploadIds: [named.uploadId],
      judge: (found) => holdPdf(named, found, { language: work.tenant.language, faults }),
      idsOf: ({ uploadId }) => [uploadId],
      progressText: (content) => JSON.stringify(startPdf(content, asked.orderId)),
    });
    if (held === null) return LOST_LANE;
    if (held.kind === 'invalid') return concludedUnsent(invalid(held.errors));
    return this.#goOn(work, asked, startPdf(held.content, asked.orderId));
  }

  async #goOn(work: LaneWork, asked: UploadPdf, progress: PdfProgress): Promise<FileStep> {
    const { attempts, reading } = progress;
    const { attempt, ...loaded } = await this.attempts.load(work, progress);
    const situation = { ...loaded, attempts, reading };
    // An order has one invoice file: an upload that no reading shows can be repeated, because it replaces the
    // first.
    const settings = repeatable(uploadSettings(this.config.times, work.tenant.deadlines));
    return this.attempts.follow(work, decideUpload(situation, settings), {
      progress,
      settings,
      attempted: () => withAttempt(progress, attempt),
      send: () => this.platform.uploadInvoice(asked, progress.pdf, work.call),
      read: () => this.platform.findInvoice(asked.orderId, work.call),
      withShown: async (shown) => {
        const known = await this.invoiceFiles.attachedSha256(work.lane.tenant, asked.orderId);
        return withInvoice(progress, shown, known, this.attempts.reading(work, knowsRefusal(situation)));
      },
      conclude: async (conclusion) => {
        const pdf = { uploadId: progress.pdf.uploadId, field: asked.pdf.field };
        const warnings = await this.checks.warnings(pdf, work.tenant.language);
        return conclude(asked, progress, { ...conclusion, warnings });
      },
    });
  }
}

function conclude({ orderId }: UploadPdf, progress: PdfProgress, conclusion: Conclusion): FileStep {
  const { pdf, attempts } = progress;
  const sha256 = knownAfter(conclusion.outcome, pdf, attempts);
  return concluded(progress, conclusion, {
    release: [pdf.uploadId],
    ...(sha256 !== undefined && { invoice: { orderId, sha256 } }),
  });
}
