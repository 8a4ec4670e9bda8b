const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Reads a `Retry-After` header: whole seconds, or an HTTP date (RFC 9110, 10.2.3; only the date form that is still
 * in use).
 *
 * @param header the value as received
 * @param nowMs milliseconds since 1970
 * @returns milliseconds from now, above 0; null if the header is absent, unreadable, or requires no wait
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : readHttpDate(text) - nowMs;
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : null;
}

function readHttpDate(text: string): number {
  const match = HTTP_DATE.exec(text);
  if (match === null) return Number.NaN;
  const [, day, month, year, hours, minutes, seconds] = match;
  return Date.UTC(
    Number(year),
    MONTHS.indexOf(month ?? ''),
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  );
}
