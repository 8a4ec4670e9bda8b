/** Modes of a tenant: in `shadow`, everything is decided and nothing is changed. */
export type ShadowMode = 'live' | 'shadow';

/** From when on a tenant is live, or in shadow again. */
export interface ShadowPoint {
  readonly mode: ShadowMode;
  /** Milliseconds since 1970. */
  readonly from: number;
}

/** The points of a tenant, in the order of their times, and since when its work is held; null: it is not. */
export interface ShadowPoints {
  readonly points: readonly ShadowPoint[];
  readonly heldSince: number | null;
}

/** A new point lies so far ahead, or so long after the start of a hold, that every process knows of it by then. */
export const POINT_LEAD_MS = 60_000;

/**
 * Mode for what came at a time: a command by the time at which it was made, a fact by the time of its receipt. A tenant
 * in shadow is so until its first point.
 */
export function modeAt({ points }: Pick<ShadowPoints, 'points'>, at: number): ShadowMode {
  return points.findLast(({ from }) => from <= at)?.mode ?? 'shadow';
}

/**
 * The points with a new one, which takes the place of those to come and ends the hold; or a sentence why it cannot be
 * set. The same point again changes nothing.
 */
export function withPoint(known: ShadowPoints, wanted: ShadowPoint, now: number): ShadowPoints | string {
  const { heldSince } = known;
  const { mode, from } = wanted;
  if (heldSince === null && known.points.some((each) => each.mode === mode && each.from === from)) return known;
  const earliest = Math.min(heldSince ?? now, now) + POINT_LEAD_MS;
  if (from < earliest) return tooEarly(from, earliest, heldSince);
  // A process may act by those that are nearer.
  const fixed = known.points.filter((point) => point.from < earliest);
  const before = modeAt({ points: fixed }, from);
  if (before === mode) return `it is ${before === 'live' ? 'live' : 'in shadow'} by then already`;
  return { points: [...fixed, wanted], heldSince: null };
}

function tooEarly(from: number, earliest: number, heldSince: number | null): string {
  const since = heldSince === null ? 'now' : 'the start of the hold';
  return `from must be ${timeOf(earliest)} or later, a minute from ${since}, so that every process knows of it; it is ${timeOf(from)}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
