/** A text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A table as CSV (RFC 4180), with its names in the first line. What a spreadsheet would run has a quote before it. */
export function csvOf(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [columns.map(quoted), ...rows.map((row) => columns.map((column) => quoted(row[column] ?? '')))];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) && typeof value === 'string' ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
