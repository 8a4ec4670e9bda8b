import { CONFIG } from '@gondola/service-kit/run/injected';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { fieldReason } from '@gondola/shared/fields/field-reasons';
import { applied, type Conclusion, invalid, refused, unchanged, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import { Inject, Injectable } from '@nestjs/common';
import type { PublishImages } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import {
  called,
  type CommandTurn,
  concluded,
  concludedUnsent,
  type LaneWork,
  LOST_LANE,
  waits,
} from '../lanes/command-turn.service.ts';
import { knowsRefusal, uploadSettings } from '../platform/decide-upload.ts';
import { UploadAttempts } from '../platform/upload-attempts.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { type HeldImage, holdImages } from '../uploads/held-content.ts';
import { HoldUploads } from '../uploads/hold-uploads.service.ts';
import { AppliedImagesRepository } from './applied-images.repository.ts';
import { afterApplying, type AppliedImages } from './applied-images.ts';
import { decideImages, type ImageDecision, type ImageSettings } from './decide-images.ts';
import {
  currentAttempts,
  currentImages,
  type ImageProgress,
  imageProgressFromText,
  provenImages,
  startImages,
  withList,
} from './image-progress.ts';
import { type RequestSizes, splitUnderLimit } from './split-images.ts';

/** A command's turn, and what was known of the SKU's images before it. */
interface Turn {
  readonly work: LaneWork;
  readonly asked: PublishImages;
  readonly known: AppliedImages;
}

/** A list that the platform refuses after something was sent is asked for again. */
const REFUSED_READ_WAIT_MS = 30_000;

/**
 * One step of a `PublishSkuImages` (rules 16, 31, 32). `decide-images` decides; this class loads, calls and stores the
 * answer.
 */
@Injectable()
export class PublishSkuImages {
  readonly #requestLimitBytes: number;

  constructor(
    private readonly uploads: HoldUploads,
    private readonly attempts: UploadAttempts,
    private readonly skus: SkusRepository,
    private readonly applied: AppliedImagesRepository,
    private readonly platform: PlatformAdapter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times' | 'images'>,
  ) {
    this.#requestLimitBytes = config.images.requestMaxBytes;
  }

  async step(work: LaneWork, asked: PublishImages): Promise<CommandTurn> {
    const known = await this.applied.load(work.lane.tenant, asked.skuExternalReference);
    const turn = { work, asked, known };
    const stored = imageProgressFromText(work.command.progress);
    if (stored !== null) return this.#goOn(turn, stored);
    const held = await this.#hold(turn);
    if (held === null) return LOST_LANE;
    if (held.kind === 'invalid') return concludedUnsent(invalid(held.errors));
    return this.#goOn(turn, startImages(held.content));
  }

  async #hold({ work, asked }: Turn) {
    const { images, skuExternalReference } = asked;
    const { language } = work.tenant;
    const limitBytes = this.#requestLimitBytes;
    const fits = (image: HeldImage) => this.platform.sizeOfImages(skuExternalReference, [image]) <= limitBytes;
    return this.uploads.hold(work, {
      uploadIds: images.map(({ uploadId }) => uploadId),
      judge: (found) => holdImages(images, found, { language, limitBytes, fits }),
      idsOf: uploadIdsOf,
      progressText: (content) => JSON.stringify(startImages(content)),
    });
  }

  async #goOn(turn: Turn, progress: ImageProgress): Promise<CommandTurn> {
    const { work, asked } = turn;
    const { attempt, ...loaded } = await this.attempts.load(work, progress);
    const isSkuKnown = await this.skus.isKnown(work.lane.tenant, asked.skuExternalReference);
    const settings = this.#settings(work);
    const decision = decideImages({ ...loaded, isSkuKnown, progress }, settings);
    if (decision.kind === 'wait') return waits(progress, decision.ms);
    if (decision.kind === 'catch-up') return this.attempts.catchUp(progress, decision.untilMs);
    if (decision.kind === 'wait-for-sku') return awaitSku(asked, progress, decision, attempt.at);
    if (decision.kind === 'read') {
      const isRefused = knowsRefusal({ sendings: currentAttempts(progress), failures: loaded.failures });
      return this.#read(turn, progress, isRefused);
    }
    if (decision.kind === 'send') {
      const attempted = withAttempt(progress, { ...attempt, request: progress.current });
      return this.attempts.make(work, attempted, settings, () =>
        this.platform.uploadImages(asked.skuExternalReference, currentImages(attempted), work.call),
      );
    }
    return conclude(turn, progress, conclusionOf(asked, decision, work.tenant.language));
  }

  #settings({ tenant: { deadlines } }: LaneWork): ImageSettings {
    const { times } = this.config;
    const { referencesMs } = deadlines;
    return { ...uploadSettings(times, deadlines), referencesMs, referenceCheckMs: times.referenceCheckMs };
  }

  async #read(turn: Turn, progress: ImageProgress, afterRefusal: boolean): Promise<CommandTurn> {
    const { work, asked, known } = turn;
    const { skuExternalReference } = asked;
    const answer = await this.platform.listImages(skuExternalReference, work.call);
    if (answer.kind === 'unavailable') return waits({ ...progress, blocked: answer.cause }, answer.retryAfterMs);
    if (answer.kind === 'refused') {
      if (progress.sendings.length > 0) return waits({ ...progress, blocked: 'list-refused' }, REFUSED_READ_WAIT_MS);
      // Nothing was sent: that the platform refuses the reading is the outcome.
      const platform = { statusCode: answer.status, message: answer.message };
      return conclude(turn, progress, refused(work.tenant.language, { evidence: 'none', platform }));
    }
    const split = (images: readonly HeldImage[]) => splitUnderLimit(images, this.#sizes(skuExternalReference));
    return called(withList(progress, answer.value, { ...this.attempts.reading(work, afterRefusal), known, split }));
  }

  #sizes(skuExternalReference: string): RequestSizes<HeldImage> {
    const empty = this.platform.sizeOfImages(skuExternalReference, []);
    const of = (image: HeldImage) => this.platform.sizeOfImages(skuExternalReference, [image]) - empty;
    return { limit: this.#requestLimitBytes, empty, of };
  }
}

/** Published once; after that only its own time and the SKU's snapshot move it. `now`: RFC 3339. */
function awaitSku(
  { skuExternalReference }: PublishImages,
  progress: ImageProgress,
  { ms, isNew }: { readonly ms: number; readonly isNew: boolean },
  now: string,
): CommandTurn {
  if (!isNew) return waits(progress, ms);
  const awaited = { kind: 'sku', externalReference: skuExternalReference } as const;
  const since: ImageProgress = { ...progress, waitingSince: now };
  return waits(since, ms, [awaited]);
}

type Concluded = Exclude<ImageDecision, { kind: 'wait' | 'wait-for-sku' | 'catch-up' | 'send' | 'read' }>;

function conclusionOf({ skuExternalReference }: PublishImages, decision: Concluded, language: Language): Conclusion {
  if (decision.kind === 'applied') return applied('read-back');
  if (decision.kind === 'presumed') return applied('presumed');
  if (decision.kind === 'unchanged') return unchanged();
  if (decision.kind === 'unconfirmed') return unconfirmed(language);
  if (decision.kind === 'sku-missing') {
    const place = { field: 'skuExternalReference', skuExternalReference };
    return invalid([fieldReason('REFERENCE_MISSING', language, place)]);
  }
  return refused(language, decision.refusal);
}

/** Requests that were proven count, also where a later one was refused. */
function conclude({ asked, known }: Turn, progress: ImageProgress, conclusion: Conclusion): CommandTurn {
  const proven = provenImages(progress);
  const { skuExternalReference } = asked;
  const appliedNow = afterApplying(known, proven, progress.newUrls, progress.before);
  return concluded(progress, conclusion, {
    release: uploadIdsOf(progress.images),
    ...(proven.length > 0 && { images: { skuExternalReference, applied: appliedNow } }),
  });
}

function uploadIdsOf(images: readonly HeldImage[]): string[] {
  return [...new Set(images.map(({ uploadId }) => uploadId))];
}
