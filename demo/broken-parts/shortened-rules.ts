const FACTOR = 30;
const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600 };
/** A busy machine answers a scrape late, and an app is started anew by tests: this one keeps its two minutes. */
const KEPT = /- alert: GondolaAppAway\n[\s\S]*?(?=\n\n)/;

/**
 * The alerts' rules for a test: every time that passes until an alert fires is a thirtieth. Those are the `for:` of
 * each alert but `GondolaAppAway`, the windows of rates in brackets, and the least age of what waits
 * (`…_age_seconds > N`). Everything else stays: metrics, labels, numbers, shares, and the days of a certificate.
 */
export function shortenedRules(text: string): string {
  const kept = KEPT.exec(text)![0];
  return text
    .replace(/\bfor: (\d+)([mh])\b/g, (_, count: string, unit: string) => `for: ${shorter(count, unit)}`)
    .replace(/\[(\d+)([mh])\]/g, (_, count: string, unit: string) => `[${shorter(count, unit)}]`)
    .replace(
      /(_age_seconds(?:\{[^}]*\})?\)) > (\d+)/g,
      (_, age: string, count: string) => `${age} > ${Number(count) / FACTOR}`,
    )
    .replace(KEPT, () => kept);
}

function shorter(count: string, unit: string): string {
  return `${(Number(count) * SECONDS[unit]!) / FACTOR}s`;
}
