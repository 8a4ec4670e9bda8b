/** A cell that a spreadsheet would take for a formula, also by signs of full width, gets a quotation mark before it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** CSV with semicolons and a byte order mark, as a Brazilian Excel reads it. */
export function csvOf(rows: ReadonlyArray<ReadonlyArray<string | number | null | undefined>>): string {
  const lines = rows.map((row) => row.map((cell) => cellOf(String(cell ?? ''))).join(';'));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) && !/^-?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
