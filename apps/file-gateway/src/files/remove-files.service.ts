import { CONFIG } from '@gondola/service-kit/config/injected';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { orderNumberText } from '@gondola/shared/topics/identities';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { Inject, Injectable } from '@nestjs/common';
import type { RemoveFilesOf } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import { type FileStep, concluded, type LaneWork } from '../commands/file-step.ts';
import { AppliedImagesRepository } from '../images/applied-images.repository.ts';
import { afterRemoving } from '../platform/applied-images.ts';
import { OrderIdsRepository } from '../notifications/order-ids.repository.ts';
import { decideUpload, knowsRefusal, repeatable, uploadSettings } from '../platform/decide-upload.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { UploadAttempts } from '../commands/upload-attempts.service.ts';
import { type RemovalProgress, removalProgressFromText, withFiles } from './removal-progress.ts';

interface Concluded {
  readonly progress: RemovalProgress;
  readonly conclusion: Conclusion;
  readonly orderId: string | null;
}

/**
 * One step of a `RemoveFiles` (rules 16, 35): the file list is read before and after, and `decide-upload` decides.
 * A removal can be repeated, because it names the files.
 */
@Injectable()
export class RemoveFiles {
  constructor(
    private readonly attempts: UploadAttempts,
    private readonly orderIds: OrderIdsRepository,
    private readonly images: AppliedImagesRepository,
    private readonly platform: PlatformAdapter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times'>,
  ) {}

  async step(work: LaneWork, asked: RemoveFilesOf): Promise<FileStep> {
    const progress = removalProgressFromText(work.command.progress);
    const { attempt, ...loaded } = await this.attempts.load(work, progress);
    const { attempts, reading } = progress;
    const situation = { ...loaded, attempts, reading };
    const { deadlines } = work.tenant;
    const settings = repeatable(uploadSettings(this.config.times, deadlines));
    const orderId = await this.#orderId(work, asked);
    const removed = { urls: asked.urls, others: asked.storageIds.length };
    return this.attempts.follow(work, decideUpload(situation, settings), {
      progress,
      settings,
      attempted: () => withAttempt(progress, attempt),
      send: () => this.platform.removeFiles(asked, work.call),
      read: () => this.platform.listFiles(asked, work.call),
      withShown: (list) =>
        withFiles(progress, list ?? [], removed, this.attempts.reading(work, knowsRefusal(situation))),
      conclude: (conclusion) => this.#conclude(work, asked, { progress, conclusion, orderId }),
    });
  }

  /** GUID of the order whose invoice file is removed: Gondola's record of that file becomes invalid. */
  async #orderId({ lane }: LaneWork, { fileType, externalReference }: RemoveFilesOf): Promise<string | null> {
    const orderNumber = fileType === FILE_TYPES.Invoice ? orderNumberText(externalReference) : null;
    return orderNumber === null ? null : this.orderIds.find(lane.tenant, Number(orderNumber));
  }

  async #conclude(
    { lane }: LaneWork,
    { externalReference, fileType, urls }: RemoveFilesOf,
    { progress, conclusion, orderId }: Concluded,
  ): Promise<FileStep> {
    const isForgotten = orderId !== null && progress.attempts.length > 0;
    const isGone = conclusion.outcome === 'applied' || conclusion.outcome === 'unchanged';
    const isOfSku = fileType === FILE_TYPES.SKU && isGone;
    const known = isOfSku ? await this.images.load(lane.tenant, externalReference) : null;
    return concluded(progress, conclusion, {
      ...(isForgotten && { invoice: { orderId, sha256: null } }),
      ...(known !== null && {
        images: { skuExternalReference: externalReference, applied: afterRemoving(known, urls) },
      }),
    });
  }
}
