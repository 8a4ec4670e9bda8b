import { PLATFORM_OFFSET, platformMoment, ticksToUtcText } from '@gondola/shared/time';

/** Pattern of a month such as `2026-11`. */
export const MONTH_FORM = '^20[0-9]{2}-(0[1-9]|1[0-2])$';

export interface Month {
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
}

/** Begin and end of a month such as `2026-11`, in the platform's zone; null if the text is none. */
export function monthOf(text: string): Month | null {
  if (!new RegExp(MONTH_FORM).test(text)) return null;
  const [year, month] = text.split('-').map(Number) as [number, number];
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
  return { from: beginOf(text), to: beginOf(next) };
}

function beginOf(month: string): Date {
  return new Date(`${month}-01T00:00:00${PLATFORM_OFFSET}`);
}

/** True if a time of the platform lies in a month; null if the text is no time. */
export function isInMonth(text: string | null, { from, to }: Month): boolean | null {
  const moment = platformMoment(text);
  if (moment === null) return null;
  const ms = Date.parse(ticksToUtcText(moment.ticks));
  return ms >= from.getTime() && ms < to.getTime();
}
