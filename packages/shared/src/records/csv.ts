import { isDecimalText } from '../json/digits.ts';

/** A record of a file, and the line at which it begins. */
export interface FileRecord {
  readonly line: number;
  /** JSON text of the record. */
  readonly text: string;
}

/** Why a cell cannot be read, or which two cells contradict each other. */
export interface CellProblem {
  /** `number`: it is written like one, but with a comma, or points between thousands. */
  readonly code: 'number' | 'currency' | 'contradiction';
  readonly line: number;
  readonly column: string;
  readonly cell: string;
  /** The cell that this one contradicts. */
  readonly before?: { readonly line: number; readonly cell: string };
}

export type TableReading =
  | { readonly kind: 'records'; readonly records: readonly FileRecord[] }
  /** A quote is not closed, or a row has more cells than the header. */
  | { readonly kind: 'no-table' }
  | { readonly kind: 'wrong-cells'; readonly problems: readonly CellProblem[] };

/**
 * Prefixes of columns that go into a nested object: `sku.ean` into a SKU of the product, `data.price` into `data`.
 */
const SKU = 'sku.';
const DATA = 'data.';
/** The columns that say which record a row is of, where it has no SKU. */
const IDENTITY = ['externalReference', 'warehouse', 'policy', 'tenant', 'recordId', 'sourceVersion', 'op'];
const SKU_REFERENCE = `${SKU}externalReference`;

/** As spreadsheets write them, in English and in Portuguese. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['TRUE', true],
  ['VERDADEIRO', true],
  ['false', false],
  ['FALSE', false],
  ['FALSO', false],
]);
const SEPARATORS = [';', '\t', ','] as const;
/** A first line for Excel that names the separator. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/;
/** With a comma, or points between thousands; also without a digit on one side of its point. */
const OTHER_NUMBER = /^[+-]?(?=.*\d)([\d.]*,[\d.,]*|\d{1,3}(\.\d{3}){2,}|\d+\.|\.\d+)$/;
const CURRENCY = /^([A-Z]{0,3}\$|€|BRL|EUR|USD)\s*[+-]?[\d.,]+$|^[+-]?[\d.,]+\s*([A-Z]{0,3}\$|€|BRL|EUR|USD)$/;

interface Cell {
  readonly line: number;
  readonly text: string;
}

/** Cells by their columns. */
type Cells = Map<string, Cell>;

/** All rows of one record. */
interface Gathered {
  readonly line: number;
  /** Those of the record, and of `data`. */
  readonly cells: Cells;
  readonly skus: Cells[];
}

/**
 * Reads the records of a table with a header: a column is a field of the record, `sku.<field>` a field of its SKU,
 * `data.<field>` a field of `data`. Rows with SKUs and the same `externalReference` are one product; other rows with
 * the same identity are one record. Rows of one record must not contradict each other.
 *
 * An empty cell is an absent field; `true`, `VERDADEIRO` and the like are booleans; decimal text in `data.` is a number
 * of the same digits, since `data` is posted as it is; every other cell is text, which numeric fields accept. The
 * separator is a comma, semicolon or tab, or that of a first line `sep=`; quotes are those of spreadsheets.
 */
export function recordsOfCsv(content: string): TableReading {
  const rows = rowsOf(content.replace(/^\uFEFF/, ''));
  if (rows === null) return { kind: 'no-table' };
  const [head, ...others] = rows;
  const names = head?.cells.map((name) => name.trim()) ?? [];
  if (others.some(({ cells }) => cells.length > names.length)) return { kind: 'no-table' };
  const problems: CellProblem[] = [];
  const gathered = new Map<string, Gathered>();
  for (const { line, cells } of others) {
    const row: Cells = new Map(
      names.flatMap((name, index) => (name === '' || !cells[index] ? [] : [[name, { line, text: cells[index] }]])),
    );
    if (row.size === 0) continue;
    const key = keyOf(line, row);
    const known = gathered.get(key) ?? { line, cells: new Map(), skus: [] };
    gathered.set(key, known);
    problems.push(...wrongCells(row), ...addRow(known, row));
  }
  if (problems.length > 0) return { kind: 'wrong-cells', problems };
  return { kind: 'records', records: [...gathered.values()].map((each) => ({ line: each.line, text: textOf(each) })) };
}

/** Rows with the same key are one record; a row without an identity is one of its own. */
function keyOf(line: number, row: Cells): string {
  const reference = row.get('externalReference')?.text.trim();
  if (reference === undefined) return `line ${line}`;
  const hasSku = [...row.keys()].some((name) => name.startsWith(SKU));
  return JSON.stringify(hasSku ? ['product', reference] : IDENTITY.map((name) => row.get(name)?.text.trim() ?? null));
}

function wrongCells(row: Cells): CellProblem[] {
  return [...row].flatMap(([column, { line, text: cell }]): CellProblem[] => {
    const text = cell.trim();
    if (!column.startsWith(DATA)) return [];
    if (OTHER_NUMBER.test(text)) return [{ code: 'number', line, column, cell }];
    return CURRENCY.test(text) ? [{ code: 'currency', line, column, cell }] : [];
  });
}

/** Adds a row to its record, and returns the cells that contradict those of another row. */
function addRow({ cells, skus }: Gathered, row: Cells): CellProblem[] {
  const ofSku = new Map([...row].filter(([name]) => name.startsWith(SKU)));
  const others = new Map([...row].filter(([name]) => !ofSku.has(name)));
  const problems = merge(cells, others);
  if (ofSku.size === 0) return problems;
  const reference = ofSku.get(SKU_REFERENCE)?.text.trim();
  const same = skus.find((sku) => reference !== undefined && sku.get(SKU_REFERENCE)?.text.trim() === reference);
  const sku: Cells = same ?? new Map();
  if (same === undefined) skus.push(sku);
  return [...problems, ...merge(sku, ofSku)];
}

function merge(into: Cells, row: Cells): CellProblem[] {
  return [...row].flatMap(([column, cell]): CellProblem[] => {
    const before = into.get(column);
    if (before === undefined) into.set(column, cell);
    if (before === undefined || before.text.trim() === cell.text.trim()) return [];
    const known = { line: before.line, cell: before.text };
    return [{ code: 'contradiction', line: cell.line, column, cell: cell.text, before: known }];
  });
}

/** JSON text of a record. Numbers have the digits of their cells. */
function textOf({ cells, skus }: Gathered): string {
  const all = [...cells];
  const data = all.filter(([name]) => name.startsWith(DATA));
  const fields = all
    .filter(([name]) => !name.startsWith(DATA))
    .map(([name, cell]) => member(name, valueText(cell.text)));
  if (skus.length > 0) {
    const texts = skus.map((sku) =>
      objectText([...sku].map(([name, cell]) => member(name.slice(SKU.length), valueText(cell.text)))),
    );
    fields.push(member('skus', `[${texts.join(',')}]`));
  }
  if (data.length > 0)
    fields.push(
      member('data', objectText(data.map(([name, cell]) => member(name.slice(DATA.length), dataText(cell.text))))),
    );
  return objectText(fields);
}

function member(name: string, text: string): string {
  return `${JSON.stringify(name)}:${text}`;
}

function objectText(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

function valueText(cell: string): string {
  return JSON.stringify(BOOLEANS.get(cell) ?? cell);
}

function dataText(cell: string): string {
  return isDecimalText(cell.trim()) ? cell.trim() : valueText(cell);
}

/** Rows of cells with the line at which each begins, without empty ones; null if a quote is not closed. */
function rowsOf(content: string): { readonly line: number; readonly cells: string[] }[] | null {
  const named = SEPARATOR_LINE.exec(content);
  const start = named?.[0].length ?? 0;
  const separator = named?.[1] ?? separatorOf(content.split('\n', 1)[0] ?? '');
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = start === 0 ? 1 : 2;
  let begins = line;
  let isQuoted = false;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((each) => each !== '')) rows.push({ line: begins, cells });
    cells = [];
    cell = '';
    begins = line;
  };
  for (let at = start; at < content.length; at += 1) {
    const char = content[at] ?? '';
    if (char === '\n') line += 1;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === separator) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  endRow();
  return isQuoted ? null : rows;
}

/** The separator of a header: the one that it has most of, a comma for none. */
function separatorOf(head: string): string {
  const counted = SEPARATORS.map((each) => ({ each, count: head.split(each).length }));
  return counted.reduce((most, next) => (next.count >= most.count ? next : most)).each;
}
