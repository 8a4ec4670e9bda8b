const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A time as short as the reader needs it: of today without its date, of another year with it. */
export function shortTime(at: Date, language: string, now: Date): string {
  const isToday = at.toDateString() === now.toDateString();
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  if (isToday) return at.toLocaleTimeString(language, time);
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return at.toLocaleString(language, { day: '2-digit', month: '2-digit', ...year, ...time });
}

/** A time with its seconds and its zone, for a tooltip. */
export function fullTime(at: Date, language: string): string {
  return at.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long' });
}

/** A time in digits, as a spreadsheet reads it. */
export function fullDate(at: Date, language: string): string {
  return at.toLocaleString(language, { dateStyle: 'short', timeStyle: 'medium' }).replace(',', '');
}

/** The time from one moment to a later one, in its largest unit: "há 5 min", "5 min ago". */
export function ago(at: Date, language: string, now: Date): string {
  const ms = at.getTime() - now.getTime();
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (Math.abs(ms) < MINUTE_MS) return format.format(Math.round(ms / 1_000), 'second');
  if (Math.abs(ms) < HOUR_MS) return format.format(Math.round(ms / MINUTE_MS), 'minute');
  if (Math.abs(ms) < DAY_MS) return format.format(Math.round(ms / HOUR_MS), 'hour');
  return format.format(Math.round(ms / DAY_MS), 'day');
}
