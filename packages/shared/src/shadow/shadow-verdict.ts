import { DAY_MS, HOUR_MS } from '../durations.ts';

/**
 * Kinds of what a comparison finds. `late`: the same, but later than the time that it may take. `only-old`: the shop
 * changed, and Gondola would not have done it. `only-gondola`: Gondola would have done it, and the shop never got it.
 */
export const VERDICT_KINDS = ['same', 'late', 'another-value', 'only-old', 'only-gondola', 'not-comparable'] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** Reasons of `not-comparable`. */
export const WHY_NOT = {
  /** No route reads it, and no notification of its kind arrived. */
  notShown: 'NOT_SHOWN',
  /** A later record of the same entity took its place. */
  superseded: 'SUPERSEDED',
  /** The order was cancelled meanwhile. */
  cancelled: 'ORDER_CANCELLED',
  /** Addresses of pictures do not show their contents. */
  pictures: 'CONTENT_NOT_SHOWN',
} as const;
export type WhyNot = (typeof WHY_NOT)[keyof typeof WHY_NOT];

/** Routes of rows about an order that are no calls: a status that the shop shows, an order that Gondola published. */
export const SEEN_OF_ORDER = { status: 'orderStatus', created: 'orderCreated' } as const;
export type SeenOfOrder = (typeof SEEN_OF_ORDER)[keyof typeof SEEN_OF_ORDER];

/** Something to compare: what was left out, or what the shop got. */
export interface ShadowRow {
  readonly id: string;
  readonly tenant: string;
  readonly side: 'gondola' | 'shop';
  readonly route: string;
  readonly entity: string;
  readonly commandId: string;
  readonly body: string | null;
  readonly leftOutAt: Date;
  /** Verdict of the last comparison. */
  readonly verdict: VerdictKind | null;
  /** A later record of its entity was left out. */
  readonly isSuperseded: boolean;
}

/** Result of one look at the shop; `explained`: a change of the shop that is no difference of its own. */
export type Finding =
  | { readonly kind: 'same'; readonly seenAt?: Date | null }
  | { readonly kind: 'another-value'; readonly found: string }
  | { readonly kind: 'only-gondola' | 'only-old' }
  | { readonly kind: 'explained' }
  | { readonly kind: 'not-comparable'; readonly why: WhyNot };

export interface Verdict {
  readonly verdict: VerdictKind;
  readonly found: string | null;
  readonly why: WhyNot | null;
  readonly lateMs: number | null;
  /** Milliseconds until the next look; null: this one is final. */
  readonly lookAgainMs: number | null;
}

/**
 * Verdict of a finding. What the shop lacks, or has otherwise, is looked at again for a day, after pauses that double:
 * it may still come.
 *
 * @param settleMs time that the other connector may take
 */
export function verdictOf(
  row: ShadowRow,
  finding: Exclude<Finding, { kind: 'explained' }>,
  nowMs: number,
  settleMs: number,
): Verdict {
  const none = { found: null, why: null, lateMs: null, lookAgainMs: null };
  const ageMs = nowMs - row.leftOutAt.getTime();
  if (finding.kind === 'same') {
    const lateMs = latenessOf(row, finding.seenAt ?? null, ageMs);
    return lateMs > settleMs ? { ...none, verdict: 'late', lateMs } : { ...none, verdict: 'same' };
  }
  if (finding.kind === 'not-comparable') return { ...none, verdict: finding.kind, why: finding.why };
  if (finding.kind === 'only-old') return { ...none, verdict: finding.kind };
  if (row.isSuperseded) return { ...none, verdict: 'not-comparable', why: WHY_NOT.superseded };
  const lookAgainMs = ageMs > DAY_MS ? null : Math.min(Math.max(ageMs, settleMs), HOUR_MS);
  const found = finding.kind === 'another-value' ? finding.found : null;
  return { ...none, verdict: finding.kind, found, lookAgainMs };
}

/** Without the time of a notification, what an earlier look did not find came late. */
function latenessOf({ leftOutAt, verdict }: ShadowRow, seenAt: Date | null, ageMs: number): number {
  if (seenAt !== null) return Math.max(0, seenAt.getTime() - leftOutAt.getTime());
  return verdict === null ? 0 : ageMs;
}
