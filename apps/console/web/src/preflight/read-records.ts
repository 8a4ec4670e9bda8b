import { type FileRecord, recordsOfCsv, type TableReading } from '@gondola/shared/records/csv';

/** Forms in which records are given. */
export type Form = 'json' | 'csv';

/** Not yet among the types of the standard library. */
interface RawJson {
  rawJSON?: (text: string) => unknown;
}

/** The records of a text, or why it is no table, as the command line says it, too. */
export function recordsOf(text: string, form: Form): TableReading {
  return form === 'csv' ? recordsOfCsv(text) : { kind: 'records', records: recordsOfJson(text) };
}

/**
 * The records of a text: one JSON a line, one JSON over several lines, or a list of them. Each stays the text that an
 * ERP would send, so that its digits are judged as they are.
 */
function recordsOfJson(text: string): readonly FileRecord[] {
  const whole = wholeOf(text);
  if (Array.isArray(whole)) return whole.map((each, index) => ({ line: index + 1, text: JSON.stringify(each) }));
  if (whole !== undefined) return [{ line: 1, text: text.trim() }];
  return text
    .split(/\r?\n/)
    .map((each, index) => ({ line: index + 1, text: each.trim() }))
    .filter((record) => record.text !== '');
}

function wholeOf(text: string): unknown {
  const { rawJSON } = JSON as RawJson;
  const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && rawJSON !== undefined
      ? rawJSON(context.source)
      : value;
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return undefined;
  }
}
