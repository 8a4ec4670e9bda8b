import { readFile, stat } from 'node:fs/promises';
import type { Explanation } from '../output/explain-failure.ts';
import { EXIT } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { type FileRecord, recordsOfCsv } from './csv.ts';
import { textOfFile, type WrongByte } from './text-of-file.ts';

type FileReading =
  | { readonly kind: 'read'; readonly records: readonly FileRecord[]; readonly encoding: 'utf-8' | 'windows-1252' }
  | WrongByte
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-table' };

/** The limit exists because a file is held in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

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
  const records = isTable ? recordsOfCsv(text) : linesOf(text);
  if (records === null) return { kind: 'no-table' };
  return records.length === 0 ? { kind: 'empty' } : { kind: 'read', records, encoding };
}

/** Explains why no records could be read from a file. */
export function explainReading(reading: Exclude<FileReading, { kind: 'read' }>, file: string, say: Say): Explanation {
  if (reading.kind === 'no-table')
    return { code: 'FILE_NO_TABLE', message: say('fileNoTable', { file }), exit: EXIT.usage };
  if (reading.kind === 'empty') return { code: 'FILE_EMPTY', message: say('fileEmpty', { file }), exit: EXIT.usage };
  if (reading.kind === 'wrong-byte') {
    const message = say('fileWrongByte', { file, line: reading.line, byte: reading.byte });
    return { code: 'FILE_ENCODING', message, exit: EXIT.usage };
  }
  if (reading.kind === 'too-large') {
    const message = say('fileTooLarge', { file, most: MAX_BYTES });
    return { code: 'FILE_TOO_LARGE', message, exit: EXIT.usage };
  }
  const message = say('fileUnreadable', { file, code: reading.code });
  return { code: 'FILE_UNREADABLE', message, exit: EXIT.usage };
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
