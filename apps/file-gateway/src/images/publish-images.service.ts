import type { CallAnswer } from '@gondola/lanes/commands/attempts';
import { Clock } from '@gondola/service-kit/run/clock';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { fieldReason, given } from '@gondola/shared/fields/field-reasons';
import { type Conclusion, invalid } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { Inject, Injectable } from '@nestjs/common';
import type { PublishImages } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import {
  called,
  type FileStep,
  concluded,
  concludedUnsent,
  type LaneWork,
  LOST_LANE,
  waits,
} from '../commands/file-step.ts';
import { knowsRefusal, uploadSettings } from '../platform/decide-upload.ts';
import { UploadAttempts } from '../commands/upload-attempts.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { type HeldImage, holdImages, type NamedImage } from '../uploads/held-content.ts';
import { CheckContents } from '../contents/check-contents.service.ts';
import { FetchContents } from '../fetching/fetch-contents.service.ts';
import { HoldUploads } from '../uploads/hold-uploads.service.ts';
import { AppliedImagesRepository } from './applied-images.repository.ts';
import type { AppliedImages } from '../platform/applied-images.ts';
import { decideImages, type ImageSettings } from './decide-images.ts';
import { ImageDeliveries, type ImageDelivery } from './image-delivery.service.ts';
import {
  currentAttempts,
  currentImages,
  type ImageProgress,
  imageProgressFromText,
  imagesAfter,
  isReplacing,
  provenImages,
  shownAtEnd,
  startImages,
  withList,
} from './image-progress.ts';
import type { ShownImages } from './plan-images.ts';
import { splitUnderLimit } from '../platform/split-images.ts';

/** A command at work, with the known images of its SKU before it. */
interface Publishing {
  readonly work: LaneWork;
  readonly asked: PublishImages;
  readonly known: AppliedImages;
  readonly delivery: ImageDelivery;
}

/**
 * One step of a `PublishSkuImages` (rules 16, 31, 32, 34). `decide-images` decides; this
 * class loads, calls and stores the answer.
 */
@Injectable()
export class PublishSkuImages {
  readonly #requestLimitBytes: number;

  constructor(
    private readonly contents: FetchContents,
    private readonly checks: CheckContents,
    private readonly uploads: HoldUploads,
    private readonly attempts: UploadAttempts,
    private readonly skus: SkusRepository,
    private readonly applied: AppliedImagesRepository,
    private readonly platform: PlatformAdapter,
    private readonly deliveries: ImageDeliveries,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times' | 'images'>,
  ) {
    this.#requestLimitBytes = config.images.requestMaxBytes;
  }

  async step(work: LaneWork, asked: PublishImages): Promise<FileStep> {
    const known = await this.applied.load(work.lane.tenant, asked.skuExternalReference);
    const publishing = { work, asked, known, delivery: this.deliveries.of(asked.skuExternalReference, work.call) };
    const stored = imageProgressFromText(work.command.progress);
    if (stored !== null) return this.#goOn(publishing, stored);
    const { commandId } = work.command;
    const brought = await this.contents.bring(work, asked.images, { otherwise: 'NOT_IMAGE', commandId });
    if (brought.kind === 'step') return brought.step;
    const images = brought.uploads.map((upload, index) => ({ ...upload, order: asked.images[index]!.order }));
    const held = await this.#hold(publishing, images);
    if (held === null) return LOST_LANE;
    if (held.kind === 'invalid') return concludedUnsent(invalid(held.errors));
    return this.#goOn(publishing, startImages(held.content));
  }

  async #hold({ work, asked }: Publishing, images: readonly NamedImage[]) {
    const { skuExternalReference } = asked;
    const { language } = work.tenant;
    const limitBytes = this.#requestLimitBytes;
    const fits = (image: HeldImage) => this.platform.sizeOfImages(skuExternalReference, [image]) <= limitBytes;
    const faults = await this.checks.faults(work.lane.tenant, images);
    return this.uploads.hold(work, {
      uploadIds: images.map(({ uploadId }) => uploadId),
      judge: (found) => holdImages(images, found, { language, limitBytes, fits, faults }),
      idsOf: uploadIdsOf,
      progressText: (content) => JSON.stringify(startImages(content)),
    });
  }

  async #goOn(publishing: Publishing, progress: ImageProgress): Promise<FileStep> {
    const { work, asked } = publishing;
    const { attempt, ...loaded } = await this.attempts.load(work, progress);
    const isSkuKnown = await this.skus.isKnown(work.lane.tenant, asked.skuExternalReference);
    const settings = this.#settings(work);
    const placesFirst = publishing.delivery.place !== null;
    const decision = decideImages({ ...loaded, isSkuKnown, placesFirst, progress }, settings);
    if (decision.kind === 'place') return this.#place(publishing, progress);
    if (decision.kind === 'wait-for-sku') return awaitSku(asked, progress, decision, attempt.at);
    if (decision.kind === 'sku-missing') return conclude(publishing, progress, skuMissing(asked, work.tenant.language));
    return this.attempts.follow(work, decision, {
      progress,
      settings,
      attempted: () => withAttempt(progress, { ...attempt, request: progress.current }),
      send: (attempted) => this.#send(publishing, attempted),
      read: () => this.platform.listImages(asked.skuExternalReference, work.call),
      withShown: (list) => {
        const isRefused = knowsRefusal({ attempts: currentAttempts(progress), failures: loaded.failures });
        return this.#withList(publishing, progress, list ?? [], isRefused);
      },
      conclude: (conclusion) => conclude(publishing, progress, conclusion),
    });
  }

  /** Placing files before their call is no attempt: the platform does not show them. */
  async #place({ delivery, work }: Publishing, progress: ImageProgress): Promise<FileStep> {
    work.call.signal.throwIfAborted();
    const { place } = delivery;
    if (place === null) throw new Error('This delivery of images places no files');
    const { placed: orders, problem } = await place(currentImages(progress), progress.placement?.orders ?? []);
    const at = new Date(this.clock.now()).toISOString();
    const next: ImageProgress = { ...progress, blocked: problem?.cause ?? null, placement: { at, orders } };
    return problem === null ? called(next) : waits(next, problem.retryAfterMs);
  }

  async #send({ work, asked, delivery }: Publishing, progress: ImageProgress): Promise<CallAnswer> {
    if (!isReplacing(progress)) return delivery.send(currentImages(progress));
    const { skuExternalReference } = asked;
    const files = { externalReference: skuExternalReference, fileType: FILE_TYPES.SKU, storageIds: [] };
    return this.platform.removeFiles({ ...files, urls: progress.replaced ?? [] }, work.call);
  }

  #settings({ tenant: { deadlines } }: LaneWork): ImageSettings {
    const { times } = this.config;
    const { referencesMs } = deadlines;
    return { ...uploadSettings(times, deadlines), referencesMs, referenceCheckMs: times.referenceCheckMs };
  }

  #withList({ work, asked, known }: Publishing, progress: ImageProgress, list: readonly string[], isRefused: boolean) {
    const sizes = this.platform.requestSizes(asked.skuExternalReference, this.config.images);
    const split = (images: readonly HeldImage[]) => splitUnderLimit(images, sizes);
    const { lostAnswerMs: unexpectedMs, readBackMs: emptyMs } = this.#settings(work);
    return withList(progress, list, {
      ...this.attempts.reading(work, isRefused),
      doubt: { unexpectedMs, emptyMs },
      known,
      replace: asked.replace,
      split,
    });
  }
}

/** Publishes `waiting` once; after that only a due time or the SKU's snapshot wakes the lane. `now`: RFC 3339. */
function awaitSku(
  { skuExternalReference }: PublishImages,
  progress: ImageProgress,
  { ms, isNew }: { readonly ms: number; readonly isNew: boolean },
  now: string,
): FileStep {
  if (!isNew) return waits(progress, ms);
  const awaited = { kind: 'sku', externalReference: skuExternalReference } as const;
  const since: ImageProgress = { ...progress, waitingSince: now };
  return waits(since, ms, [awaited]);
}

function skuMissing({ skuExternalReference }: PublishImages, language: Language): Conclusion {
  const place = { field: 'skuExternalReference', skuExternalReference };
  return invalid([
    fieldReason('REFERENCE_MISSING', language, place, { params: given(skuExternalReference, language) }),
  ]);
}

/** Requests that were proven count, even if a later one was refused. */
function conclude({ work, asked, known }: Publishing, progress: ImageProgress, conclusion: Conclusion): FileStep {
  const images = provenImages(progress);
  const { skuExternalReference, replace } = asked;
  const applied = imagesAfter(progress, known, replace);
  const end =
    applied === null ? conclusion : withShown(conclusion, shownAtEnd(progress, applied), work.tenant.language);
  return concluded(progress, end, {
    release: uploadIdsOf(progress.images),
    ...(applied !== null && { images: { skuExternalReference, applied } }),
    ...(images.length > 0 && { upload: { externalReference: skuExternalReference, images, urls: progress.newUrls } }),
  });
}

/** The ERP sees what else the SKU shows, and is warned of what has, or may have, a place or content of its command. */
function withShown(
  conclusion: Conclusion,
  { orders, otherOrders, otherUrls, isInTheWay }: ShownImages,
  language: Language,
): Conclusion {
  const data = { orders, otherOrders, otherUrls };
  if (!isInTheWay) return { ...conclusion, data };
  const params = { count: otherOrders.length + otherUrls.length };
  return { ...conclusion, data, warnings: [fieldReason('OTHER_IMAGES', language, { field: 'images' }, { params })] };
}

function uploadIdsOf(images: readonly HeldImage[]): string[] {
  return [...new Set(images.map(({ uploadId }) => uploadId))];
}
