/**
 * The first record of each key, in the order of the records. A record may be repeated with its key at any later
 * time (guarantee 2): when Kafka answered late, or a relay lost its lock.
 */
export function firstRecords<R extends { readonly key: string | null }>(records: readonly R[]): R[] {
  const firsts = new Map<string | null, R>();
  for (const record of records) if (!firsts.has(record.key)) firsts.set(record.key, record);
  return [...firsts.values()];
}
