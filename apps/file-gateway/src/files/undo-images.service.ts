import { CONFIG } from '@gondola/service-kit/config/injected';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { fieldReason, given } from '@gondola/shared/fields/field-reasons';
import { type Conclusion, invalid } from '@gondola/shared/results/conclusion';
import type { Language, ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { Inject, Injectable } from '@nestjs/common';
import type { UndoImages as Asked } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import { AppliedImagesRepository } from '../images/applied-images.repository.ts';
import { afterRemoving } from '../platform/applied-images.ts';
import { ImageUploadsRepository } from '../images/image-uploads.repository.ts';
import { splitUnderLimit } from '../platform/split-images.ts';
import { type FileStep, concluded, concludedUnsent, type LaneWork, LOST_LANE } from '../commands/file-step.ts';
import { decideUpload, knowsRefusal, uploadSettings } from '../platform/decide-upload.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { UploadAttempts } from '../commands/upload-attempts.service.ts';
import type { HeldImage, Hold } from '../uploads/held-content.ts';
import { HoldUploads } from '../uploads/hold-uploads.service.ts';
import {
  currentUndoAttempts,
  startUndo,
  type UndoProgress,
  undoProgressFromText,
  withImagesLeft,
} from './undo-progress.ts';

/**
 * One step of an `UndoImageUpload` (rules 16, 35): the platform undoes an upload when it receives the same form
 * again, so the content must still be stored. The proof is that the addresses of the upload are gone.
 */
@Injectable()
export class UndoImages {
  constructor(
    private readonly made: ImageUploadsRepository,
    private readonly applied: AppliedImagesRepository,
    private readonly uploads: HoldUploads,
    private readonly attempts: UploadAttempts,
    private readonly platform: PlatformAdapter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times' | 'images'>,
  ) {}

  async step(work: LaneWork, asked: Asked): Promise<FileStep> {
    const stored = undoProgressFromText(work.command.progress);
    if (stored !== null) return this.#goOn(work, asked, stored);
    const { skuExternalReference: externalReference, undoes: commandId } = asked;
    const made = await this.made.find({ tenant: work.lane.tenant, commandId, externalReference });
    if (made === null) return concludedUnsent(invalid([reason(work, commandId, 'COMMAND_UNKNOWN')]));
    const { images, urls } = made;
    const start = (held: readonly HeldImage[]) => startUndo(this.#requests(externalReference, held), urls);
    const held = await this.uploads.hold<readonly HeldImage[]>(work, {
      uploadIds: idsOf(images),
      judge: (found): Hold<readonly HeldImage[]> =>
        idsOf(images).every((id) => found.has(id))
          ? { kind: 'held', content: images }
          : { kind: 'invalid', errors: [reason(work, commandId, 'UPLOAD_UNKNOWN')] },
      idsOf,
      progressText: (content) => JSON.stringify(start(content)),
    });
    if (held === null) return LOST_LANE;
    if (held.kind === 'invalid') return concludedUnsent(invalid(held.errors));
    return this.#goOn(work, asked, start(held.content));
  }

  async #goOn(work: LaneWork, { skuExternalReference }: Asked, progress: UndoProgress): Promise<FileStep> {
    const { attempt, ...loaded } = await this.attempts.load(work, progress);
    const situation = { ...loaded, attempts: currentUndoAttempts(progress), reading: progress.reading };
    const settings = uploadSettings(this.config.times, work.tenant.deadlines);
    const images = progress.undone[progress.current] ?? [];
    const decision = decideUpload(situation, settings);
    // An earlier request undid what this one was for.
    const isDone = decision.kind === 'already-there' && progress.attempts.length > 0;
    return this.attempts.follow(work, isDone ? { kind: 'applied' } : decision, {
      progress,
      settings,
      attempted: () => withAttempt(progress, { ...attempt, request: progress.current }),
      send: () => this.platform.undoImages(skuExternalReference, images, work.call),
      read: () => this.platform.listImages(skuExternalReference, work.call),
      withShown: (list) => withImagesLeft(progress, list ?? [], this.attempts.reading(work, knowsRefusal(situation))),
      conclude: (conclusion) => this.#conclude(work, skuExternalReference, progress, conclusion),
    });
  }

  async #conclude(
    { lane, tenant }: LaneWork,
    skuExternalReference: string,
    progress: UndoProgress,
    conclusion: Conclusion,
  ): Promise<FileStep> {
    const known = await this.applied.load(lane.tenant, skuExternalReference);
    const isUndone = conclusion.outcome === 'applied' || conclusion.outcome === 'unchanged';
    const { urls, left = [] } = progress;
    const gone = urls.filter((url) => !left.includes(url));
    return concluded(progress, isUndone ? withLeft(conclusion, left, tenant.language) : conclusion, {
      release: idsOf(progress.undone.flat()),
      ...(isUndone && { images: { skuExternalReference, applied: afterRemoving(known, gone) } }),
    });
  }

  #requests(skuExternalReference: string, images: readonly HeldImage[]): HeldImage[][] {
    return splitUnderLimit(images, this.platform.requestSizes(skuExternalReference, this.config.images));
  }
}

/** An upload whose answer was lost may have been carried out twice, and is undone once: the ERP sees what stays. */
function withLeft(conclusion: Conclusion, left: readonly string[], language: Language): Conclusion {
  if (left.length === 0) return conclusion;
  const warning = fieldReason('OTHER_IMAGES', language, { field: 'undoes' }, { params: { count: left.length } });
  return { ...conclusion, data: { orders: [], otherOrders: [], otherUrls: left }, warnings: [warning] };
}

function reason({ tenant: { language } }: LaneWork, undoes: string, code: ReasonCode) {
  return fieldReason(code, language, { field: 'undoes' }, { params: given(undoes, language) });
}

function idsOf(images: readonly HeldImage[]): string[] {
  return [...new Set(images.map(({ uploadId }) => uploadId))];
}
