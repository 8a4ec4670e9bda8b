import type { Message } from 'kafkajs';

import type { NamedHeaders } from '../wire/fetched-record.ts';
import { encodeRecord, type OutRecord, type RawHeaders } from '../records/record-codec.ts';

/** A record as another app's relay sends it, for the producer of a test. */
export function wireMessage(record: OutRecord, app: string): Message {
  const { key, value, headers } = encodeRecord(record, app);
  return { key, value, headers: toKafkaHeaders(headers) };
}

/**
 * Headers in the form in which kafkajs' own producers take them, which cannot write a null: it becomes an empty value.
 * Values of one name stay in their order.
 */
export function toKafkaHeaders(headers: RawHeaders): NamedHeaders {
  const byName = new Map<string, Buffer[]>();
  for (const [name, value] of headers) {
    const values = byName.get(name) ?? [];
    values.push(value ?? Buffer.alloc(0));
    byName.set(name, values);
  }
  return Object.fromEntries(byName);
}
