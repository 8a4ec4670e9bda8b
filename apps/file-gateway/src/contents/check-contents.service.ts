import { fieldReason } from '@gondola/shared/fields/field-reasons';
import type { FieldReason, Language, ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { Injectable } from '@nestjs/common';
import { UploadsRepository } from '../uploads/uploads.repository.ts';
import { type ContentFault, faultOf } from '../uploads/content-verdict.ts';
import type { ContentFaults, NamedUpload } from '../uploads/held-content.ts';
import type { PdfFlaw } from '../uploads/pdf-flaw.ts';
import { ContentDecoder } from './content-decoder.adapter.ts';

const WARNINGS: Readonly<Record<PdfFlaw, ReasonCode>> = {
  damaged: 'PDF_DAMAGED',
  encrypted: 'PDF_ENCRYPTED',
  surrounded: 'PDF_SURROUNDED',
};

/**
 * Checks contents before a command holds them (rules 32, 33). The verdict is stored with the upload; one that is broken
 * is judged again by the next command that names it, since a verdict against it must never be an accident.
 */
@Injectable()
export class CheckContents {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly decoder: ContentDecoder,
  ) {}

  /**
   * Faults of uploads that are not complete files of their media type, or take too much to be decoded. Unknown uploads
   * are skipped.
   */
  async faults(tenant: string, named: ReadonlyArray<{ readonly uploadId: string }>): Promise<ContentFaults> {
    const faults = new Map<string, ContentFault>();
    for (const uploadId of new Set(named.map((each) => each.uploadId))) {
      const upload = await this.uploads.find(tenant, uploadId);
      if (upload === null) continue;
      const known = await this.uploads.verdict(uploadId);
      const isToBeJudged = known === null || known === 'broken';
      const judged = isToBeJudged
        ? await this.decoder.judge({ ...upload, tenant }, () => this.uploads.chunks(uploadId))
        : known;
      const verdict = typeof judged === 'object' ? 'broken' : judged;
      if (verdict !== known) await this.uploads.saveVerdict(uploadId, verdict);
      const fault = faultOf(judged);
      if (fault !== null) faults.set(uploadId, fault);
    }
    return faults;
  }

  /** Warnings about a complete PDF that a viewer may not show (rule 33). */
  async warnings({ uploadId, field }: NamedUpload, language: Language): Promise<readonly FieldReason[]> {
    const verdict = await this.uploads.verdict(uploadId);
    if (verdict === null || verdict === 'broken' || verdict === 'whole') return [];
    return [fieldReason(WARNINGS[verdict], language, { field })];
  }
}
