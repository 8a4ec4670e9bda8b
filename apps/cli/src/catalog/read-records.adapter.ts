import { readFile, stat } from 'node:fs/promises';
import type { Explanation } from '../operations-api/explain-failure.ts';
import { EXIT } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { type FileRecord, recordsOfCsv } from './csv.ts';

type FileReading =
  | { readonly kind: 'read'; readonly records: readonly FileRecord[] }
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-table' };

/** The limit exists because a file is held in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads the records of a file: a table if its name ends in `.csv`, else one JSON text per line. */
export async function readRecords(path: string): Promise<FileReading> {
  let content: string;
  try {
    if ((await stat(path)).size > MAX_BYTES) return { kind: 'too-large' };
    content = await readFile(path, 'utf8');
  } catch (error) {
    return { kind: 'unreadable', code: (error as NodeJS.ErrnoException).code ?? '-' };
  }
  if (!path.toLowerCase().endsWith('.csv')) return { kind: 'read', records: linesOf(content) };
  const records = recordsOfCsv(content);
  return records === null ? { kind: 'no-table' } : { kind: 'read', records };
}

/** Explains why no records could be read from a file. */
export function explainReading(reading: Exclude<FileReading, { kind: 'read' }>, file: string, say: Say): Explanation {
  if (reading.kind === 'no-table')
    return { code: 'FILE_NO_TABLE', message: say('fileNoTable', { file }), exit: EXIT.usage };
  if (reading.kind === 'too-large') {
    const message = say('fileTooLarge', { file, most: MAX_BYTES });
    return { code: 'FILE_TOO_LARGE', message, exit: EXIT.usage };
  }
  const message = say('fileUnreadable', { file, code: reading.code });
  return { code: 'FILE_UNREADABLE', message, exit: EXIT.usage };
}

function linesOf(content: string): FileRecord[] {
  return content
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '');
}
