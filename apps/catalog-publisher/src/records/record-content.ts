import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';

/** A catalog record's object; a tombstone is the same as `op: delete`. That it is one was seen when it was taken. */
export function contentOf(record: {
  readonly value: Uint8Array | null;
  readonly externalReference: string;
}): JsonRecord {
  const { value, externalReference } = record;
  if (value === null) return { op: 'delete', externalReference };
  const content = parseRecord(value);
  if (content === null) throw new Error('A record that was taken as JSON is none');
  return content;
}

/** A lower version than the highest that came (rule 28); versions as decimal text, null where there is none. */
export function isStale(version: bigint | null, latest: string | null): boolean {
  return version !== null && latest !== null && version < BigInt(latest);
}
