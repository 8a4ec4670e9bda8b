import { type BatchedRecord, RecordBatchWriter } from './record-batch-writer.ts';

/** Fields that kafkajs gives to its own encoder of a produce request, of version 3 and newer. */
export interface ProduceFields {
  readonly acks: number;
  readonly timeout: number;
  readonly transactionalId?: string | null;
  /** 0: not compressed. */
  readonly compression?: number;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly {
      readonly partition: number;
      readonly messages: readonly Partial<BatchedRecord>[];
    }[];
  }[];
}

const INT16_BYTES = 2;
const INT32_BYTES = 4;
/** Length of a text that is null. */
const NO_TRANSACTION = -1;

/** True if all messages have headers in our form, as Gondola's own sender gives them. */
export function isOurs({ compression = 0, transactionalId = null, topicData }: ProduceFields): boolean {
  if (compression !== 0 || transactionalId !== null) return false;
  const partitions = topicData.flatMap((topic) => topic.partitions);
  return partitions.every(({ messages }) => messages.every(({ headers }) => Array.isArray(headers)));
}

/**
 * Body of a produce request (Kafka's protocol, Produce, versions 3 to 8) for a producer that is not transactional. It
 * is written once; kafkajs copies each record four times before its request is whole.
 *
 * @param room bytes that are left free in front of it
 */
export function encodeProduce(fields: ProduceFields, timestamp: number, room = 0): Buffer {
  const topics = fields.topicData.map(({ topic, partitions }) => ({
    name: textBytes(topic),
    partitions: partitions.map(({ partition, messages }) => ({
      partition,
      batch: new RecordBatchWriter(messages as readonly BatchedRecord[]),
    })),
  }));
  const head = room + INT16_BYTES + INT16_BYTES + INT32_BYTES + INT32_BYTES;
  const sizes = topics.map(({ name, partitions }) =>
    partitions.reduce((sum, { batch }) => sum + INT32_BYTES + INT32_BYTES + batch.bytes, name.length + INT32_BYTES),
  );
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, head));
  let at = bytes.writeInt16BE(NO_TRANSACTION, room);
  at = bytes.writeInt16BE(fields.acks, at);
  at = bytes.writeInt32BE(fields.timeout, at);
  at = bytes.writeInt32BE(topics.length, at);
  for (const { name, partitions } of topics) {
    at += name.copy(bytes, at);
    at = bytes.writeInt32BE(partitions.length, at);
    for (const { partition, batch } of partitions) {
      at = bytes.writeInt32BE(partition, at);
      at = bytes.writeInt32BE(batch.bytes, at);
      batch.write(bytes, at, timestamp);
      at += batch.bytes;
    }
  }
  return bytes;
}

/** Kafka's STRING: its length in two bytes, and its UTF-8. */
function textBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(INT16_BYTES + Buffer.byteLength(text));
  bytes.writeInt16BE(bytes.length - INT16_BYTES, 0);
  bytes.write(text, INT16_BYTES);
  return bytes;
}
