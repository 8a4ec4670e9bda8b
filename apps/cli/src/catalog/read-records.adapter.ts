import { readFile, stat } from 'node:fs/promises';
import { type Explanation, wrongInput } from '../output/explain-failure.ts';
import type { Say } from '../texts/texts.ts';
import { type CellProblem, type FileRecord, recordsOfCsv, type TableReading } from '@gondola/shared/records/csv';
import { textOfFile, type WrongByte } from '@gondola/shared/records/text-of-file';

type FileReading =
  | { readonly kind: 'read'; readonly records: readonly FileRecord[]; readonly encoding: 'utf-8' | 'windows-1252' }
  | WrongByte
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'too-large' }
  | Exclude<TableReading, { kind: 'records' }>;

/** The limit exists because a file is held in memory. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Cells that a refusal names. */
const MOST_CELLS = 10;

/** Reads the records of a file, at least one: a table if its name ends in `.csv`, else one JSON text per line. */
export async function readRecords(path: string): Promise<FileReading> {
  let content: Buffer;
  try {
    if ((await stat(path)).size > MAX_BYTES) return { kind: 'too-large' };
    content = await readFile(path);
  } catch (error) {
    return { kind: 'unreadable', code: (error as NodeJS.ErrnoException).code ?? '-' };
  }
  const isTable = path.toLowerCase().endsWith('.csv');
  const reading = textOfFile(content, { isTable });
  if (reading.kind === 'wrong-byte') return reading;
  const { text, encoding } = reading;
  const table: TableReading = isTable ? recordsOfCsv(text) : { kind: 'records', records: linesOf(text) };
  if (table.kind !== 'records') return table;
  const { records } = table;
  return records.length === 0 ? { kind: 'empty' } : { kind: 'read', records, encoding };
}

/** Explains why no records could be read from a file. */
export function explainReading(reading: Exclude<FileReading, { kind: 'read' }>, file: string, say: Say): Explanation {
  switch (reading.kind) {
    case 'no-table':
      return wrongInput('FILE_NO_TABLE', say('fileNoTable', { file }));
    case 'wrong-cells':
      return wrongInput('FILE_CELLS', say('fileCells', { file, cells: cellsText(reading.problems, say) }));
    case 'empty':
      return wrongInput('FILE_EMPTY', say('fileEmpty', { file }));
    case 'wrong-byte':
      return wrongInput('FILE_ENCODING', say('fileWrongByte', { file, line: reading.line, byte: reading.byte }));
    case 'too-large':
      return wrongInput('FILE_TOO_LARGE', say('fileTooLarge', { file, most: MAX_BYTES }));
    default:
      return wrongInput('FILE_UNREADABLE', say('fileUnreadable', { file, code: reading.code }));
  }
}

function cellsText(problems: readonly CellProblem[], say: Say): string {
  const shown = problems.slice(0, MOST_CELLS).map(({ code, line, column, cell, before }) => {
    const at = { line, column, cell, before: before?.cell ?? '', lineBefore: before?.line ?? 0 };
    if (code === 'contradiction') return say('cellContradiction', at);
    return say(code === 'number' ? 'cellNumber' : 'cellCurrency', at);
  });
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [say('cellsMore', { count: more })] : [])].join('; ');
}

/** Says that a table was read as Windows-1252. */
export function readingNotes({ encoding }: { readonly encoding: string }, file: string, say: Say): string[] {
  return encoding === 'windows-1252' ? [say('fileWindows1252', { file })] : [];
}

function linesOf(content: string): FileRecord[] {
  return content
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '');
}
