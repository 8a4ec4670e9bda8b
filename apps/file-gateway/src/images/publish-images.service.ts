import type { Attempts } from '@gondola/messaging/commands/attempts';
import { operationIdsOf, withAnswer, withAttempt, withoutLastAttempt } from '@gondola/shared/commands/attempts';
import { fieldReason } from '@gondola/shared/fields/field-reasons';
import { applied, type Conclusion, invalid, refused, unchanged, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import { afterApplying, type AppliedImages } from './applied-images.ts';
import { decideImages, type ImageSettings } from './decide-images.ts';
import { knowsRefusal } from '../lanes/decide-upload.ts';
import type { PublishImages } from '../commands/file-command.ts';
import { type HeldImage, holdImages } from '../uploads/held-content.ts';
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
import {
  called,
  type CommandTurn,
  concluded,
  concludedUnsent,
  type Consumed,
  type LaneWork,
  LOST_LANE,
  takenBack,
  waits,
} from '../lanes/command-turn.service.ts';
import type { CallOptions, PlatformAdapter } from '../platform/platform.adapter.ts';
import type { AppliedImagesRepository } from './applied-images.repository.ts';
import type { FailuresRepository } from '../notifications/failures.repository.ts';
import type { SkusRepository } from '../skus/skus.repository.ts';
import { holdUploads, type HoldUploadsParts } from '../uploads/hold-uploads.service.ts';

export interface PublishImagesParts extends HoldUploadsParts {
  readonly skus: SkusRepository;
  readonly failures: FailuresRepository;
  readonly applied: AppliedImagesRepository;
  readonly platform: PlatformAdapter;
  readonly language: Language;
  readonly settings: ImageSettings;
  /** Of one request (docs/platform.md, "Limits"). */
  readonly requestLimitBytes: number;
  readonly now: () => number;
  readonly consumed: Consumed;
  readonly attempts: Attempts;
}

/** A command's turn: what does not change while it lasts. */
interface Turn {
  readonly work: LaneWork;
  readonly asked: PublishImages;
  readonly known: AppliedImages;
  readonly options: CallOptions;
}

/** A list that the platform says no to after something was sent is asked for again. */
const REFUSED_READ_WAIT_MS = 30_000;

/**
 * One step of a `PublishSkuImages` (rules 16, 31, 32): what is decided is `decide-images`'; here it is loaded, called
 * and written down.
 */
export class PublishSkuImages {
  readonly #parts: PublishImagesParts;

  constructor(parts: PublishImagesParts) {
    this.#parts = parts;
  }

  async step(work: LaneWork, asked: PublishImages, options: CallOptions): Promise<CommandTurn> {
    const known = await this.#parts.applied.load(work.lane.tenant, asked.skuExternalReference);
    const turn = { work, asked, known, options };
    const stored = imageProgressFromText(work.command.progress);
    if (stored !== null) return this.#goOn(turn, stored);
    const held = await this.#hold(turn);
    if (held === null) return LOST_LANE;
    if (held.kind === 'invalid') return concludedUnsent(invalid(held.errors));
    return this.#goOn(turn, startImages(held.content));
  }

  async #hold({ work, asked }: Turn) {
    const { language, requestLimitBytes: limitBytes, platform } = this.#parts;
    const { images, skuExternalReference } = asked;
    const fits = (image: HeldImage) => platform.sizeOfImages(skuExternalReference, [image]) <= limitBytes;
    return holdUploads(this.#parts, work, {
      uploadIds: images.map(({ uploadId }) => uploadId),
      judge: (found) => holdImages(images, found, { language, limitBytes, fits }),
      idsOf: uploadIdsOf,
      progressText: (content) => JSON.stringify(startImages(content)),
    });
  }

  async #goOn(turn: Turn, progress: ImageProgress): Promise<CommandTurn> {
    const { skus, failures, settings, now, consumed } = this.#parts;
    const { lane, command } = turn.work;
    const { failures: known, newestId } = await failures.ofCommand({
      tenant: lane.tenant,
      lane,
      commandRowId: command.id,
      operationIds: operationIdsOf(progress),
    });
    const isSkuKnown = await skus.isKnown(lane.tenant, turn.asked.skuExternalReference);
    const { deadlineInMs } = command;
    const situation = { failures: known, deadlineInMs, nowMs: now(), consumedUpToMs: consumed.upTo(), isSkuKnown };
    const decision = decideImages({ ...situation, progress }, settings);
    if (decision.kind === 'wait') return waits(progress, decision.ms);
    if (decision.kind === 'catch-up') return waits(progress, consumed.ask(decision.untilMs));
    if (decision.kind === 'wait-for-sku') return this.#awaitSku(turn, progress, decision);
    if (decision.kind === 'send') return this.#send(turn, progress, newestId);
    if (decision.kind === 'read') {
      const isRefused = knowsRefusal({ sendings: currentAttempts(progress), failures: known });
      return this.#read(turn, progress, isRefused);
    }
    return ended(turn, progress, this.#conclusion(turn, decision));
  }

  #conclusion({ asked }: Turn, decision: Ended): Conclusion {
    const { language } = this.#parts;
    if (decision.kind === 'applied') return applied('read-back');
    if (decision.kind === 'unchanged') return unchanged();
    if (decision.kind === 'unconfirmed') return unconfirmed(language);
    if (decision.kind === 'refused') return refused(language, decision.refusal);
    const { skuExternalReference } = asked;
    const place = { field: 'skuExternalReference', skuExternalReference };
    return invalid([fieldReason('REFERENCE_MISSING', language, place)]);
  }

  /** Published once; after that only its own time and the SKU's snapshot move it. */
  #awaitSku(turn: Turn, progress: ImageProgress, { ms, isNews }: { ms: number; isNews: boolean }): CommandTurn {
    if (!isNews) return waits(progress, ms);
    const since = { ...progress, waitingSince: new Date(this.#parts.now()).toISOString() };
    return waits(since, ms, [{ kind: 'sku', externalReference: turn.asked.skuExternalReference }]);
  }

  async #read(turn: Turn, progress: ImageProgress, afterRefusal: boolean): Promise<CommandTurn> {
    const { platform, now, language } = this.#parts;
    const { skuExternalReference } = turn.asked;
    const answer = await platform.listImages(skuExternalReference, turn.options);
    if (answer.kind === 'unavailable') return waits({ ...progress, blocked: answer.cause }, answer.retryAfterMs);
    if (answer.kind === 'refused') {
      if (progress.sendings.length > 0) return waits({ ...progress, blocked: 'list-refused' }, REFUSED_READ_WAIT_MS);
      // Nothing was sent: the platform's no to the reading is the end.
      const platformError = { statusCode: answer.status, message: answer.message };
      return ended(turn, progress, refused(language, { evidence: 'none', platform: platformError }));
    }
    const afterDeadline = (turn.work.command.deadlineInMs ?? 1) <= 0;
    const read = withList(progress, answer.value, {
      at: new Date(now()).toISOString(),
      afterRefusal,
      afterDeadline,
      known: turn.known,
      split: (images) => splitUnderLimit(images, this.#sizes(skuExternalReference)),
    });
    return called(read);
  }

  #sizes(skuExternalReference: string): RequestSizes<HeldImage> {
    const { platform, requestLimitBytes: limit } = this.#parts;
    const empty = platform.sizeOfImages(skuExternalReference, []);
    return { limit, empty, of: (image) => platform.sizeOfImages(skuExternalReference, [image]) - empty };
  }

  async #send({ work, asked, options }: Turn, progress: ImageProgress, seenFailureId: string): Promise<CommandTurn> {
    const { platform, attempts, now, settings } = this.#parts;
    options.signal.throwIfAborted();
    const at = new Date(now()).toISOString();
    const sending = withAttempt(progress, { at, seenFailureId, request: progress.current });
    const made = await attempts.make({ ...work, progress: JSON.stringify(sending) }, settings, () =>
      platform.uploadImages(asked.skuExternalReference, currentImages(sending), options),
    );
    if (made === null) return LOST_LANE;
    const { answer } = made;
    if (answer.kind === 'unavailable') return takenBack(withoutLastAttempt(sending, answer.cause), answer);
    return called(withAnswer(sending, answer));
  }
}

type Ended = Exclude<ReturnType<typeof decideImages>, { kind: 'wait' | 'wait-for-sku' | 'catch-up' | 'send' | 'read' }>;

/** What was proven counts, also where a later request was refused. */
function ended({ asked, known }: Turn, progress: ImageProgress, conclusion: Conclusion): CommandTurn {
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
