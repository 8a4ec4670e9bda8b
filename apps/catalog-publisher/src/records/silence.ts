import { againInMs, atDeadline, hasConsumed } from '@gondola/shared/commands/retry';
import type { RecordProgress } from './record-attempts.ts';
import type { PublishSettings, RecordSituation } from './record-plan.ts';

/** A sent record whose outcome neither a report nor an answer says. */
export interface SilentRecord extends Pick<RecordSituation, 'deadlineInMs' | 'nowMs' | 'consumedUpToMs'> {
  readonly progress: Pick<RecordProgress, 'attempts'>;
  /** True if a record of its batch failed, and it is not known which. */
  readonly someoneFailed: boolean;
}

/** Consequence of silence about a record that cannot be read back. */
export type Silence =
  /** It may be sent again. */
  | { readonly kind: 'again' }
  /** Accepted; a failure may still come for `ms`. */
  | { readonly kind: 'settling'; readonly ms: number }
  /** Answer lost: it is judged again after `ms`. */
  | { readonly kind: 'lost'; readonly ms: number }
  /** Notifications up to that time (milliseconds since 1970) have to be stored before a silence counts. */
  | { readonly kind: 'catch-up'; readonly untilMs: number }
  /** Settled without a failure. */
  | { readonly kind: 'presumed' }
  /** The outcome will never be known. */
  | { readonly kind: 'unknown' };

/**
 * Judges silence about a brand, category or value (rules 5, 16, 24, 30): none can be read back, and no success event is
 * documented.
 *
 *   sent ──▶ accepted ── a failure in its batch, unknown of which ──────▶ again, alone in the end
 *     │         └─────── settled, nothing said ─────────────────────────▶ presumed
 *     └──── answer lost, ever later, while time is left ────────────────▶ again
 *              then, at the deadline ──────────────────────────────────▶ unknown
 */
export function judgeSilence(
  { progress: { attempts }, someoneFailed, nowMs, consumedUpToMs, ...rest }: SilentRecord,
  settings: PublishSettings,
): Silence {
  const last = attempts.at(-1);
  if (last === undefined) return { kind: 'again' };
  const deadlineInMs = rest.deadlineInMs ?? settings.deadlineMs;
  if (someoneFailed && deadlineInMs > 0 && attempts.length < settings.maxAttempts) return { kind: 'again' };
  // An accepted record settles, even with a shorter deadline.
  const isAccepted = last.answer.kind === 'accepted';
  const countsInMs = isAccepted ? Date.parse(last.answer.at ?? last.at) + settings.settleMs - nowMs : deadlineInMs;
  const countsAtMs = nowMs + countsInMs;
  const isBehind = !hasConsumed(consumedUpToMs, countsAtMs);
  const next = atDeadline({ deadlineInMs: countsInMs, isBehind, hasRead: true }, 0);
  if (next === 'catch-up') return { kind: 'catch-up', untilMs: countsAtMs };
  if (next !== 'open') return { kind: isAccepted && !someoneFailed ? 'presumed' : 'unknown' };
  if (isAccepted) return { kind: 'settling', ms: countsInMs };
  const ms = againInMs(attempts, Infinity, { nowMs, ...settings });
  return ms > 0 ? { kind: 'lost', ms: Math.min(ms, deadlineInMs) } : { kind: 'again' };
}
