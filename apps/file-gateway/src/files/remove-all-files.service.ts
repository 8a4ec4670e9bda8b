import { CONFIG } from '@gondola/service-kit/config/injected';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { Inject, Injectable } from '@nestjs/common';
import type { RemoveAllFilesOf } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import { type FileStep, concluded, type LaneWork } from '../commands/file-step.ts';
import { decideUpload, knowsRefusal, repeatable, uploadSettings } from '../platform/decide-upload.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { UploadAttempts } from '../commands/upload-attempts.service.ts';
import { removalProgressFromText, withFiles } from './removal-progress.ts';

const ALL = { urls: [], others: 0 };

/**
 * One step of a `RemoveAllFiles` (rule 35). Files are listed by reference and type, not by an entity's id, so no
 * reading can prove it: accepted and not refused within the settle time, it counts as applied.
 */
@Injectable()
export class RemoveAllFiles {
  constructor(
    private readonly attempts: UploadAttempts,
    private readonly platform: PlatformAdapter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times'>,
  ) {}

  async step(work: LaneWork, { entityId }: RemoveAllFilesOf): Promise<FileStep> {
    const progress = removalProgressFromText(work.command.progress);
    const { attempt, ...loaded } = await this.attempts.load(work, progress);
    const { attempts, reading } = progress;
    const situation = { ...loaded, attempts, reading };
    const settings = repeatable(uploadSettings(this.config.times, work.tenant.deadlines));
    return this.attempts.follow(work, decideUpload(situation, settings), {
      progress,
      settings,
      attempted: () => withAttempt(progress, attempt),
      send: () => this.platform.removeAllFiles(entityId, work.call),
      read: async () => ({ kind: 'not-found' }),
      withShown: () => withFiles(progress, null, ALL, this.attempts.reading(work, knowsRefusal(situation))),
      conclude: (conclusion) => concluded(progress, conclusion, {}),
    });
  }
}
