import { type JsonRecord, type JsonValue, isPlainRecord } from './json-digits.ts';

/**
 * The value at the end of field names joined by dots, as the wire profile writes them (`data.status`); undefined where
 * a name is missing or what it stands in is no object. Inherited names are not found.
 */
export function valueAtPath(record: JsonRecord, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const name of path.split('.')) {
    value = isPlainRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}
