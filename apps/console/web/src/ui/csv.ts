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

/** Hands a text to the browser as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
