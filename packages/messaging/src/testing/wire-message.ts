import type { Message } from 'kafkajs';

import { encodeRecord, type OutRecord, toKafkaHeaders } from '../codec/record-codec.ts';

/** A record as another app's relay sends it, for the producer of a test. */
export function wireMessage(record: OutRecord, app: string): Message {
  const { key, value, headers } = encodeRecord(record, app);
  return { key, value, headers: toKafkaHeaders(headers) };
}
