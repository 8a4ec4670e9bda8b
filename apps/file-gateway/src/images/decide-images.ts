import { hasConsumed } from '@gondola/shared/commands/retry';
import {
  decideUpload,
  repeatable,
  type UploadDecision,
  type UploadSettings,
  type UploadSituation,
} from '../platform/decide-upload.ts';
import { currentAttempts, type ImageProgress, isDone, isReplacing } from './image-progress.ts';

export interface ImageSettings extends UploadSettings {
  /** From the first time that a SKU is waited for to the end without it. */
  readonly referencesMs: number;
  /** How often a SKU that is waited for is looked up; its snapshot wakes the lane as well. */
  readonly referenceCheckMs: number;
}

export interface ImageSituation extends Omit<UploadSituation, 'attempts' | 'reading'> {
  readonly progress: ImageProgress;
  readonly isSkuKnown: boolean;
}

export type ImageDecision =
  | UploadDecision
  /** `ms` until it is looked up again; `isNew`: it was not waited for before. */
  | { readonly kind: 'wait-for-sku'; readonly ms: number; readonly isNew: boolean }
  | { readonly kind: 'sku-missing' };

/**
 * A `PublishSkuImages` on its way (rule 32). Pure: everything it looks at is an argument.
 *
 *   held ── SKU unknown ─▶ waits ── known ──┐    └─ references' deadline ─▶ sku-missing
 *     └──── SKU known ──────────────────────┴─▶ list read ── nothing changed ─▶ already-there
 *                                                  ▼
 *                             each request in its turn: decide-upload ── all proven ─▶ applied
 *                                                  └─ others to be replaced: removed, decide-upload ─▶ applied
 */
export function decideImages(situation: ImageSituation, settings: ImageSettings): ImageDecision {
  const { progress, isSkuKnown, ...rest } = situation;
  const { requests, replaced = [], reading, attempts } = progress;
  if (!isSkuKnown && attempts.length === 0) return waitForSku(situation, settings);
  if (requests === null) return { kind: 'read' };
  if (requests.length === 0 && replaced.length === 0) return { kind: 'already-there' };
  if (isDone(progress)) return { kind: 'applied' };
  const own = isReplacing(progress) ? repeatable(settings) : settings;
  const decision = decideUpload({ ...rest, attempts: currentAttempts(progress), reading }, own);
  return decision.kind === 'already-there' ? { kind: 'applied' } : decision;
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
