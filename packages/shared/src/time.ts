/**
 * Times of the platform (rule 13): orders and read models are in UTC−3 without a zone, invoices and `processedAt`
 * in UTC with Z, `arrivalDate` and `birthDate` are pure dates. Texts are read by their digits; the runtime's
 * parser, which would use the server's zone, is never used.
 */

/**
 * A moment: its text by RFC 3339 with the digits received, and its count of 100 ns since 1970-01-01T00:00:00Z.
 */
export interface Moment {
  readonly text: string;
  readonly ticks: bigint;
}

/** Offset of the platform's local times, as text: fixed, not from time-zone data. */
export const PLATFORM_OFFSET = '-03:00';

const TICKS_PER_SECOND = 10_000_000n;

/**
 * Forms in which serialisers write one time: RFC 3339; a blank for `T`; no seconds, as Java's `toString` writes a whole
 * minute; more digits than 100 ns (cut off), as Java and Go write them; a comma; lower-case letters; an offset without
 * its colon.
 */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,7})\d*)?)?(?:([Zz])|([+-]\d{2}):?(\d{2}))?$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * A local time of the platform, with up to 7 digits of a second, as a moment: `2026-11-20T10:14:58.5` becomes
 * `2026-11-20T10:14:58.5-03:00`. An offset in the text takes precedence, and blanks around it do not count. Null if the
 * text is no such time.
 */
export function platformMoment(text: unknown): Moment | null {
  return readMoment(typeof text === 'string' ? text.trim() : text, PLATFORM_OFFSET);
}

/** A time that must have an offset, like the ERP's; null if it is invalid or has none. */
export function offsetMoment(text: unknown): Moment | null {
  return readMoment(text, null);
}

/**
 * Reason why a text is no time with an offset: it has another form, no offset, or names a day, hour or offset that does
 * not exist. Null if it is one.
 */
export function timeFault(text: unknown): 'form' | 'offset' | 'calendar' | null {
  if (offsetMoment(text) !== null) return null;
  if (typeof text !== 'string' || !DATE_TIME.test(text)) return 'form';
  return readMoment(text, 'Z') === null ? 'calendar' : 'offset';
}

/** True for a date of the calendar, `YYYY-MM-DD`. */
export function isPureDate(text: unknown): text is string {
  return typeof text === 'string' && daysSinceEpoch(text) !== null;
}

/** The day after a date of the calendar (`isPureDate`). */
export function nextDay(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const isLastOfMonth = day >= daysOfMonth(year, month);
  const [y, m, d] = isLastOfMonth ? [month === 12 ? year + 1 : year, (month % 12) + 1, 1] : [year, month, day + 1];
  return [String(y).padStart(4, '0'), String(m).padStart(2, '0'), String(d).padStart(2, '0')].join('-');
}

/** The moment in UTC with Z, the form of an invoice's date; the fraction has no trailing zeros. */
export function ticksToUtcText(ticks: bigint): string {
  const seconds = floorDivide(ticks, TICKS_PER_SECOND);
  const fraction = String(ticks - seconds * TICKS_PER_SECOND)
    .padStart(7, '0')
    .replace(/0+$/, '');
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`;
}

function readMoment(text: unknown, defaultOffset: string | null): Moment | null {
  const match = typeof text === 'string' ? DATE_TIME.exec(text) : null;
  if (match === null) return null;
  const [, date = '', hours, minutes, seconds = '00', fraction = '', zulu, offsetHours, offsetMinutes] = match;
  const ownOffset = offsetHours === undefined ? defaultOffset : `${offsetHours}:${offsetMinutes}`;
  const offset = zulu === undefined ? ownOffset : 'Z';
  const days = daysSinceEpoch(date);
  const minutesEast = offset === null ? null : minutesOf(offset);
  if (days === null || minutesEast === null) return null;
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)];
  if (h > 23 || m > 59 || s > 59) return null;
  const secondsSinceEpoch = BigInt(days * 86_400 + h * 3600 + (m - minutesEast) * 60 + s);
  const ticks = secondsSinceEpoch * TICKS_PER_SECOND + BigInt(fraction.padEnd(7, '0'));
  const ofSecond = fraction === '' ? '' : `.${fraction}`;
  return { text: `${date}T${hours}:${minutes}:${seconds}${ofSecond}${offset}`, ticks };
}

function minutesOf(offset: string): number | null {
  if (offset === 'Z') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(4, 6))];
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function daysSinceEpoch(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return null;
  // Counted from 1 March of year 0, so that the leap day is the last day of a year.
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

function daysOfMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0);
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && dividend % divisor !== 0n ? quotient - 1n : quotient;
}
