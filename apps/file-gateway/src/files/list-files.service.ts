import { FILE_TYPE_NAMES, FILE_TYPES } from '@gondola/shared/fields/file-types';
import { applied } from '@gondola/shared/results/conclusion';
import { Injectable } from '@nestjs/common';
import type { ListFilesOf } from '../commands/file-command.ts';
import { type FileStep, concludedUnsent, type LaneWork } from '../commands/file-step.ts';
import { FailedReads } from '../commands/failed-reads.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';

/** One step of a `ListFiles` (rule 35). */
@Injectable()
export class ListFiles {
  constructor(
    private readonly platform: PlatformAdapter,
    private readonly failedReads: FailedReads,
  ) {}

  async step(work: LaneWork, { externalReference, fileType }: ListFilesOf): Promise<FileStep> {
    const files = await this.platform.listFiles({ externalReference, fileType }, work.call);
    if (files.kind === 'refused' || files.kind === 'unavailable') return this.failedReads.step(work, files);
    const name = FILE_TYPE_NAMES.find((known) => FILE_TYPES[known] === fileType) ?? null;
    const data = {
      externalReference,
      fileType: { code: fileType, name },
      urls: files.kind === 'found' ? [...files.value] : [],
    };
    return concludedUnsent(applied('read-back', { data }));
  }
}
