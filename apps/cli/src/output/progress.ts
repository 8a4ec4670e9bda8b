const CELLS = 30;

/** How far a long command is, in one line of a terminal; `name` stands in place of the counts. */
export function progressLine(done: number, total: number, name = `(${done}/${total})`): string {
  const share = total <= 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * CELLS);
  return `[${'#'.repeat(filled)}${'.'.repeat(CELLS - filled)}] ${Math.floor(share * 100)} % ${name}`;
}
