import type { Entry } from '../operations-api/operations-api.ts';
import type { Say } from '../texts/texts.ts';
import type { Block } from './report.ts';

const NOTHING = '-';

/** Formats a value in one line: a time to the second, text unchanged, any other value as JSON. */
export function cell(value: unknown): string {
  if (value === undefined || value === null || value === '') return NOTHING;
  if (typeof value !== 'string') return JSON.stringify(value);
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(value);
  return time === null ? value : `${time[1]} ${time[2]}Z`;
}

/** A table with one column for each field. */
export function tableOf(
  entries: readonly Entry[],
  columns: ReadonlyArray<readonly [header: string, field: string]>,
  flexibleField?: string,
): Block {
  const flexible = columns.findIndex(([, field]) => field === flexibleField);
  return {
    kind: 'table',
    table: {
      headers: columns.map(([header]) => header),
      rows: entries.map((entry) => columns.map(([, field]) => cell(entry[field]))),
      ...(flexible === -1 ? {} : { flexible }),
    },
  };
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
  return text === null
    ? [
        { kind: 'line', text: say('contentBinary') },
        { kind: 'content', text: base64 },
      ]
    : [{ kind: 'content', text }];
}

function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}
