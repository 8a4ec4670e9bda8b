import { fieldReason } from '@gondola/shared/fields/field-reasons';
import type { FieldReason, Language, ReasonCode } from '@gondola/shared/results/reason-codes';
import { Injectable } from '@nestjs/common';
import { UploadsRepository } from '../uploads/uploads.repository.ts';
import type { NamedUpload } from '../uploads/held-content.ts';
import type { PdfFlaw } from './pdf-flaw.ts';
import { ContentDecoder } from './content-decoder.adapter.ts';

const WARNINGS: Readonly<Record<PdfFlaw, ReasonCode>> = { damaged: 'PDF_DAMAGED', encrypted: 'PDF_ENCRYPTED' };

/** Contents are decoded before a command holds them (rules 32, 33), each once: the verdict stays with the upload. */
@Injectable()
export class CheckContents {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly decoder: ContentDecoder,
  ) {}

  /** The ids of those that are not what their first bytes say. What is not there is nobody's. */
  async broken(tenant: string, named: ReadonlyArray<{ readonly uploadId: string }>): Promise<ReadonlySet<string>> {
    const broken = new Set<string>();
    for (const uploadId of new Set(named.map((each) => each.uploadId))) {
      const upload = await this.uploads.find(tenant, uploadId);
      if (upload === null) continue;
      const known = await this.uploads.verdict(uploadId);
      const verdict = known ?? (await this.decoder.judge(upload, this.uploads.chunks(uploadId)));
      if (known === null) await this.uploads.saveVerdict(uploadId, verdict);
      if (verdict === 'broken') broken.add(uploadId);
    }
    return broken;
  }

  /** What is to be said of a PDF that was found whole: that a viewer may not show it (rule 33). */
  async warnings({ uploadId, field }: NamedUpload, language: Language): Promise<readonly FieldReason[]> {
    const verdict = await this.uploads.verdict(uploadId);
    if (verdict !== 'damaged' && verdict !== 'encrypted') return [];
    return [fieldReason(WARNINGS[verdict], language, { field })];
  }
}
