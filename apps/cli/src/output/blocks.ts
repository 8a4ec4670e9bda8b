import { csvOf } from '@gondola/shared/records/csv-text';
import type { Entry } from '../operations-api/operations-api.ts';
import type { PlainText, Say, Words } from '../texts/texts.ts';
import { type Block, line } from './report.ts';

/** Headers of a table by the field that they show. */
export type Columns = Readonly<Record<string, PlainText | Words>>;

const NOTHING = '-';

/** Formats a value in one line: a time to the second, text unchanged, any other value as JSON. */
export function cell(value: unknown): string {
  if (value === undefined || value === null || value === '') return NOTHING;
  if (typeof value !== 'string') return JSON.stringify(value);
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(value);
  return time === null ? value : `${time[1]} ${time[2]}Z`;
}

/** @param flexibleField column that is cut if the terminal is too narrow */
export function tableOf(say: Say, columns: Columns, entries: readonly Entry[], flexibleField?: string): Block {
  const fields = Object.keys(columns);
  const flexible = fields.indexOf(flexibleField ?? '');
  return {
    kind: 'table',
    table: {
      headers: Object.values(columns).map((header) => say(header)),
      rows: entries.map((entry) => fields.map((field) => cell(entry[field]))),
      ...(flexible === -1 ? {} : { flexible }),
    },
  };
}

/** A table, or the sentence that nothing was found. */
export function tableOrNone(...[say, columns, entries, flexibleField]: Parameters<typeof tableOf>): Block {
  return entries.length === 0 ? line(say('none')) : tableOf(say, columns, entries, flexibleField);
}

/** The fields of entries as CSV, with their names in the first line; what is no text is JSON. */
export function csvBlock(fields: readonly string[], entries: readonly Entry[]): Block {
  const rows = entries.map((entry) => fields.map((field) => csvCell(entry[field])));
  return {
    kind: 'content',
    text: csvOf([fields, ...rows])
      .replaceAll('\r\n', '\n')
      .trimEnd(),
  };
}

function csvCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Lists every field of an answer under its own name; nested names have a dot, lists of plain values are one line.
 */
export function fieldsOf(entry: Entry): Block {
  return { kind: 'fields', fields: flatten(entry, '') };
}

function flatten(value: object, prefix: string): Array<readonly [string, string]> {
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
    const path = `${prefix}${name}`;
    if (Array.isArray(each))
      return isPlain(each) ? [[path, each.map(cell).join(', ') || NOTHING]] : flatten(each, `${path}.`);
    return typeof each === 'object' && each !== null ? flatten(each, `${path}.`) : [[path, cell(each)]];
  });
}

function isPlain(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value !== 'object' || value === null);
}

/** Shows bytes as text if they are UTF-8, else as base64. */
export function contentBlocks(base64: string, say: Say): Block[] {
  const text = textOf(Buffer.from(base64, 'base64'));
  return text === null ? [line(say('contentBinary')), { kind: 'content', text: base64 }] : [{ kind: 'content', text }];
}

function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}
