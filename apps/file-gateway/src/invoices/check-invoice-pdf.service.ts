import type { Lanes } from '@gondola/messaging/lanes/lanes';
import { applied, invalid } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import type { CheckPdf } from '../commands/file-command.ts';
import { holdPdf } from '../uploads/held-content.ts';
import { type CommandTurn, concludedUnsent, type LaneWork, LOST_LANE } from '../lanes/command-turn.service.ts';
import type { UploadsRepository } from '../uploads/uploads.repository.ts';

export interface CheckInvoicePdfParts {
  readonly lanes: Lanes;
  readonly uploads: UploadsRepository;
  readonly language: Language;
  /** How long an invoice may take from its first call, in milliseconds. */
  readonly invoiceMs: number;
}

/**
 * A `CheckInvoicePdf` (rule 33): whether the upload is there and a PDF, before the order saga registers anything. Calls
 * nobody. A good upload is kept for as long as any new one and one invoice more, so that it does not expire between the
 * check and its upload.
 */
export class CheckInvoicePdf {
  readonly #parts: CheckInvoicePdfParts;

  constructor(parts: CheckInvoicePdfParts) {
    this.#parts = parts;
  }

  async step({ lane }: LaneWork, { pdf }: CheckPdf): Promise<CommandTurn> {
    const { lanes, uploads, language, invoiceMs } = this.#parts;
    return lanes.checkpoint([lane], async (tx, held) => {
      if (held.length === 0) return LOST_LANE;
      const judged = holdPdf(pdf, await uploads.lock(tx, lane.tenant, [pdf.uploadId]), language);
      if (judged.kind === 'invalid') return concludedUnsent(invalid(judged.errors));
      const { uploadId, sha256, size } = judged.content;
      const expiresAt = await uploads.prolong(tx, uploadId, invoiceMs);
      // Found good: nothing was sent, and nothing was read at the platform.
      return concludedUnsent(applied('none', { data: { sha256, size, expiresAt } }));
    });
  }
}
