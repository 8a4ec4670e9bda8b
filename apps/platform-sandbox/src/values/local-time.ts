/**
 * The platform's dates: Brazil local time, UTC−3 all year, without a zone suffix, always with seven decimals of a
 * second, the resolution of `updatedAt`.
 */

/** Time as a count of 100 ns since 1970-01-01T00:00Z. */
export type Ticks = bigint;

const TICKS_PER_MS = 10_000n;
const TICKS_PER_SECOND = 10_000_000n;
const OFFSET_MS = -3 * 3_600_000;
const DAY_MS = 86_400_000;

export function ticksOf(epochMs: number): Ticks {
  return BigInt(epochMs) * TICKS_PER_MS;
}

/** `2026-11-20T10:15:00.1234567` for 13:15 UTC. */
export function localDateTime(ticks: Ticks): string {
  const second = localIso(Number(ticks / TICKS_PER_MS)).slice(0, 19);
  return `${second}.${String(ticks % TICKS_PER_SECOND).padStart(7, '0')}`;
}

/** Local midnight of the day `daysLater` days after that of `ticks`, and its day of the week (0 = Sunday). */
export function localDay(ticks: Ticks, daysLater: number): { dateTime: string; dayOfWeek: number } {
  const local = new Date(Number(ticks / TICKS_PER_MS) + OFFSET_MS + daysLater * DAY_MS);
  return { dateTime: `${local.toISOString().slice(0, 10)}T00:00:00`, dayOfWeek: local.getUTCDay() };
}

/** UTC with milliseconds and Z, as in `summary.processedAt` and in the admin API. */
export function utcMs(ticks: Ticks): string {
  return new Date(Number(ticks / TICKS_PER_MS)).toISOString();
}

/** A time after `last`: `now` if possible. */
export function laterThan(last: Ticks, now: Ticks): Ticks {
  return now > last ? now : last + 1n;
}

function localIso(epochMs: number): string {
  return new Date(epochMs + OFFSET_MS).toISOString();
}
