/** A record of a file, and the line at which it begins. */
export interface FileRecord {
  readonly line: number;
  /** JSON text of the record. */
  readonly text: string;
}

type Fields = Record<string, unknown>;

/**
 * Prefixes of columns that go into a nested object: `sku.ean` into a SKU of the product, `data.price` into `data`.
 */
const SKU = 'sku.';
const DATA = 'data.';

/**
 * Reads the records of a table with a header: a column is a field of the record, `sku.<field>` a field of its SKU,
 * `data.<field>` a field of `data`. Rows with SKUs and the same `externalReference` are one product. An empty cell
 * is an absent field, `true` and `false` are booleans, every other cell is text, which numeric fields accept. The
 * separator is a comma or semicolon; quotes are those of spreadsheets.
 *
 * @returns null: a quote is not closed, or a row has more cells than the header
 */
export function recordsOfCsv(content: string): FileRecord[] | null {
  const rows = rowsOf(content.replace(/^\uFEFF/, ''));
  const [head, ...others] = rows ?? [];
  if (rows === null || head === undefined) return rows === null ? null : [];
  const names = head.cells.map((name) => name.trim());
  const filled = others.filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (filled.some(({ cells }) => cells.length > names.length)) return null;
  const byReference = new Map<string, { readonly line: number; readonly record: Fields }>();
  for (const { line, cells } of filled) {
    const record = recordOf(names, cells);
    const { externalReference } = record;
    const reference = typeof externalReference === 'string' ? externalReference : '';
    const before = byReference.get(reference);
    const skus = before?.record['skus'];
    if (reference !== '' && Array.isArray(skus) && Array.isArray(record['skus']))
      skus.push(...(record['skus'] as unknown[]));
    else byReference.set(before === undefined ? reference : `${reference}\n${line}`, { line, record });
  }
  return [...byReference.values()].map(({ line, record }) => ({ line, text: JSON.stringify(record) }));
}

function recordOf(names: readonly string[], cells: readonly string[]): Fields {
  const record: Fields = {};
  const sku: Fields = {};
  const data: Fields = {};
  for (const [index, name] of names.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '' || name === '') continue;
    if (name.startsWith(SKU)) set(sku, name.slice(SKU.length), cell);
    else if (name.startsWith(DATA)) set(data, name.slice(DATA.length), cell);
    else set(record, name, cell);
  }
  if (Object.keys(sku).length > 0) record['skus'] = [sku];
  if (Object.keys(data).length > 0) record['data'] = data;
  return record;
}

/** Sets own properties only, whatever name a column has. */
function set(fields: Fields, name: string, cell: string): void {
  const value = cell === 'true' || cell === 'false' ? cell === 'true' : cell;
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Rows of cells with the line at which each begins; null if a quote is not closed. */
function rowsOf(content: string): { readonly line: number; readonly cells: string[] }[] | null {
  const head = content.split('\n', 1)[0] ?? '';
  const comma = head.split(';').length > head.split(',').length ? ';' : ',';
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let begins = 1;
  let isQuoted = false;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((each) => each !== '')) rows.push({ line: begins, cells });
    cells = [];
    cell = '';
    begins = line;
  };
  for (let at = 0; at < content.length; at += 1) {
    const char = content[at] ?? '';
    if (char === '\n') line += 1;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === comma) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  endRow();
  return isQuoted ? null : rows;
}
