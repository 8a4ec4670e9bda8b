import { hasConsumed } from '@gondola/shared/commands/retry';
import {
  decideUpload,
  repeatable,
  type UploadDecision,
  type UploadSettings,
  type UploadSituation,
} from '../platform/decide-upload.ts';
import { currentAttempts, type ImageProgress, isDone, isPlaced, isReplacing } from './image-progress.ts';

export interface ImageSettings extends UploadSettings {
  /** Longest wait for a SKU, counted from the first look-up. */
  readonly referencesMs: number;
  /** Interval of the look-ups of an awaited SKU; its snapshot also wakes the lane. */
  readonly referenceCheckMs: number;
}

export interface ImageSituation extends Omit<UploadSituation, 'attempts' | 'reading'> {
  readonly progress: ImageProgress;
  readonly isSkuKnown: boolean;
  /** True if images are placed before the call that shows them. */
  readonly placesFirst: boolean;
}

export type ImageDecision =
  | UploadDecision
  /** `ms` until the next look-up; `isNew`: the wait begins now. */
  | { readonly kind: 'wait-for-sku'; readonly ms: number; readonly isNew: boolean }
  | { readonly kind: 'sku-missing' }
  | { readonly kind: 'place' };

/**
 * State of a `PublishSkuImages` (rules 32, 34). Pure: all inputs are arguments.
 *
 *   held ── SKU unknown ─▶ waits ── known ──┐    └─ references' deadline ─▶ sku-missing
 *     └──── SKU known ──────────────────────┴─▶ list read, twice in doubt ── nothing to do ─▶ already-there
 *                                                  ▼
 *                             each request in its turn: decide-upload ── all proven ─▶ applied
 *                                    │             └─ what must not stay: removed, decide-upload ─▶ applied
 *                                    └─ by SFTP: placed before it is sent, and no more after that (rule 34)
 */
export function decideImages(situation: ImageSituation, settings: ImageSettings): ImageDecision {
  const { progress, isSkuKnown, placesFirst, ...rest } = situation;
  const { requests, replaced = [], reading, attempts } = progress;
  if (!isSkuKnown && attempts.length === 0) return waitForSku(situation, settings);
  if (requests === null) return firstReading(situation);
  if (requests.length === 0 && replaced.length === 0) return { kind: 'already-there' };
  if (isDone(progress)) return { kind: 'applied' };
  const isToBePlaced = placesFirst && !isReplacing(progress) && !isPlaced(progress, rest.nowMs, settings.readFreshMs);
  if (isToBePlaced) return { kind: 'place' };
  const own = isReplacing(progress) ? repeatable(settings) : settings;
  const decision = decideUpload({ ...rest, attempts: currentAttempts(progress), reading }, own);
  return decision.kind === 'already-there' ? { kind: 'applied' } : decision;
}

/** A first list that is not as expected is read again when it counts. */
function firstReading({ progress: { doubted = null }, nowMs }: ImageSituation): ImageDecision {
  const ms = doubted === null ? 0 : Date.parse(doubted.at) + doubted.untilMs - nowMs;
  return ms > 0 ? { kind: 'wait', ms } : { kind: 'read' };
}

function waitForSku({ progress, nowMs, consumedUpToMs }: ImageSituation, settings: ImageSettings): ImageDecision {
  const { waitingSince } = progress;
  const { referencesMs, referenceCheckMs } = settings;
  const isNew = waitingSince === null;
  const endsAtMs = (waitingSince === null ? nowMs : Date.parse(waitingSince)) + referencesMs;
  if (nowMs < endsAtMs) return { kind: 'wait-for-sku', ms: Math.min(endsAtMs - nowMs, referenceCheckMs), isNew };
  // The snapshot may stand in Kafka, unread (rule 5).
  return hasConsumed(consumedUpToMs, endsAtMs) ? { kind: 'sku-missing' } : { kind: 'catch-up', untilMs: endsAtMs };
}
