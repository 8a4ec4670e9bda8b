import { Lanes } from '@gondola/lanes/lanes/lanes';
import { applied, invalid } from '@gondola/shared/results/conclusion';
import { Injectable } from '@nestjs/common';
import type { CheckPdf } from '../commands/file-command.ts';
import { type FileStep, concludedUnsent, type LaneWork, LOST_LANE } from '../commands/file-step.ts';
import { holdPdf } from '../uploads/held-content.ts';
import { CheckContents } from '../contents/check-contents.service.ts';
import { FetchContents } from '../fetching/fetch-contents.service.ts';
import { UploadsRepository } from '../uploads/uploads.repository.ts';

/**
 * A `CheckInvoicePdf` (rules 31, 33): checks that the content exists and is a PDF before the order saga registers
 * anything. Does not call the platform. A good upload is stored for as long as a new one plus the deadline of an
 * invoice, so that it does not expire between the check and its upload.
 */
@Injectable()
export class CheckInvoicePdf {
  constructor(
    private readonly lanes: Lanes,
    private readonly contents: FetchContents,
    private readonly checks: CheckContents,
    private readonly uploads: UploadsRepository,
  ) {}

  async step(work: LaneWork, { pdf: wanted, parentCommandId: commandId }: CheckPdf): Promise<FileStep> {
    const brought = await this.contents.bring(work, [wanted], { otherwise: 'NOT_PDF', commandId });
    if (brought.kind === 'step') return brought.step;
    const pdf = brought.uploads[0]!;
    const { lane, tenant } = work;
    const { language, deadlines } = tenant;
    const faults = await this.checks.faults(lane.tenant, [pdf]);
    const warnings = await this.checks.warnings(pdf, language);
    return this.lanes.checkpoint([lane], async (tx, held) => {
      if (held.length === 0) return LOST_LANE;
      const judged = holdPdf(pdf, await this.uploads.lock(tx, lane.tenant, [pdf.uploadId]), { language, faults });
      if (judged.kind === 'invalid') return concludedUnsent(invalid(judged.errors));
      const { uploadId, sha256, size } = judged.content;
      const expiresAt = await this.uploads.prolong(tx, uploadId, deadlines.invoiceMs);
      // Valid: nothing was sent to the platform or read from it.
      return concludedUnsent(applied('none', { data: { sha256, size, expiresAt }, warnings }));
    });
  }
}
