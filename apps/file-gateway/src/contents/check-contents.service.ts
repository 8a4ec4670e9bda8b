import { Injectable } from '@nestjs/common';
import { UploadsRepository } from '../uploads/uploads.repository.ts';
import { ContentDecoder } from './content-decoder.adapter.ts';

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
      const known = await this.uploads.isWhole(uploadId);
      const isWhole = known ?? (await this.decoder.isWhole(upload, this.uploads.chunks(uploadId)));
      if (known === null) await this.uploads.saveVerdict(uploadId, isWhole);
      if (!isWhole) broken.add(uploadId);
    }
    return broken;
  }
}
