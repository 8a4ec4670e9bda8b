import type { KafkaMessage } from 'kafkajs';

import { FetchedRecord } from '../codec/fetched-record.ts';

export interface ChunkLimits {
  readonly records: number;
  /** Size of keys, values and headers. */
  readonly bytes: number;
  readonly headers: number;
}

/**
 * Splits the messages, in their order, into chunks within `limits`; a message that alone exceeds them is a chunk of
 * its own.
 */
export function* chunksOf(messages: readonly KafkaMessage[], limits: ChunkLimits): Generator<KafkaMessage[]> {
  let chunk: KafkaMessage[] = [];
  let bytes = 0;
  let headers = 0;
  for (const message of messages) {
    const own = sizeOf(message);
    bytes += own.bytes;
    headers += own.headers;
    if (chunk.length === limits.records || (chunk.length > 0 && (bytes > limits.bytes || headers > limits.headers))) {
      yield chunk;
      chunk = [];
      ({ bytes, headers } = own);
    }
    chunk.push(message);
  }
  if (chunk.length > 0) yield chunk;
}

function sizeOf(message: KafkaMessage): { readonly bytes: number; readonly headers: number } {
  const content = (message.key?.length ?? 0) + (message.value?.length ?? 0);
  return message instanceof FetchedRecord
    ? { bytes: content + message.headerBytes, headers: message.headerCount }
    : { bytes: content, headers: 0 };
}
