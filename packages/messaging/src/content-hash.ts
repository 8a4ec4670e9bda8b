import { createHash } from 'node:crypto';

import { isPlainRecord, type JsonValue, stringifyWithDigits, tryParseWithDigits } from '@gondola/shared/json-digits';

/**
 * SHA-256 (hex) of what a record says: equal for the same JSON whatever its white space and its order of keys, `ignoredKeys` of the outermost
 * object left out (`contract.md`, "Results": the same JSON without `requestedAt`). Numbers count by their digits: 1.10 is not 1.1.
 * What is no JSON counts by its bytes, and a tombstone as nothing.
 */
export function contentHash(value: Uint8Array | null, ignoredKeys: readonly string[]): string {
  return createHash('sha256').update(contentOf(value, ignoredKeys)).digest('hex');
}

function contentOf(value: Uint8Array | null, ignoredKeys: readonly string[]): string | Uint8Array {
  if (value === null) return '';
  try {
    const json = tryParseWithDigits(Buffer.from(value).toString('utf8'));
    return json === undefined ? value : canonical(json, ignoredKeys);
  } catch (error) {
    // Parsed, but nested deeper than `canonical` can follow.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

function canonical(value: JsonValue, ignoredKeys: readonly string[]): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonical(item, [])).join(',')}]`;
  if (!isPlainRecord(value)) return stringifyWithDigits(value);
  const members = Object.keys(value)
    .filter((key) => !ignoredKeys.includes(key))
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key]!, [])}`);
  return `{${members.join(',')}}`;
}
