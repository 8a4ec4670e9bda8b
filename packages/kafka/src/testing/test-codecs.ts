import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';

import type { CompressionTypes, Message } from 'kafkajs';
import { compressFrame } from 'lz4-napi';
import { compressSync } from 'snappy';

import { CompressionCodecs } from '../client/kafkajs-native.ts';

const require = createRequire(import.meta.url);
const kafkajs = require('kafkajs') as typeof import('kafkajs');

type Compress = (bytes: Buffer) => Promise<Buffer>;
type Codec = () => {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
};

/**
 * Compression as each client does it: Java's snappy writes blocks in xerial's framing, librdkafka's one raw block.
 */
export const COMPRESSIONS = {
  gzip: { codec: kafkajs.CompressionTypes.GZIP, compress: promisify(gzip) as Compress },
  'snappy of librdkafka': {
    codec: kafkajs.CompressionTypes.Snappy,
    compress: async (bytes: Buffer) => compressSync(bytes),
  },
  'snappy of Java': { codec: kafkajs.CompressionTypes.Snappy, compress: async (bytes: Buffer) => xerial(bytes) },
  lz4: { codec: kafkajs.CompressionTypes.LZ4, compress: (bytes: Buffer) => compressFrame(bytes) },
  'lz4 with checksums': {
    codec: kafkajs.CompressionTypes.LZ4,
    compress: (bytes: Buffer) => compressFrame(bytes, { contentChecksum: true, blockChecksums: true }),
  },
  zstd: { codec: kafkajs.CompressionTypes.ZSTD, compress: promisify(zstdCompress) as Compress },
} as const satisfies Record<string, Compression>;

export interface Compression {
  readonly codec: CompressionTypes;
  readonly compress: Compress;
}

/**
 * A frame with a wrong checksum: Kafka's broker does not check it and accepts the batch, but no reader can unpack
 * it.
 */
export const brokenLz4: Compression = {
  codec: kafkajs.CompressionTypes.LZ4,
  compress: async (bytes) => {
    const frame = await compressFrame(bytes, { contentChecksum: true });
    frame.writeUInt32LE(frame.readUInt32LE(frame.length - 4) ^ 1, frame.length - 4);
    return frame;
  },
};

export type CompressionName = keyof typeof COMPRESSIONS;
export const COMPRESSION_NAMES = Object.keys(COMPRESSIONS) as readonly CompressionName[];

const XERIAL_BLOCK_BYTES = 32_768;

function xerial(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from('\u0082SNAPPY\0\0\0\0\u0001\0\0\0\u0001', 'latin1')];
  for (let at = 0; at < bytes.length; at += XERIAL_BLOCK_BYTES) {
    const block = compressSync(bytes.subarray(at, at + XERIAL_BLOCK_BYTES));
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat(parts);
}

/**
 * While `work` runs, kafkajs' producers of this process use `compress` for the codec `codec`. `work` receives the
 * codec, for the option `compression` of a send; its result is returned.
 */
export async function compressingBy<T>(
  { codec, compress }: Compression,
  work: (compression: CompressionTypes) => Promise<T>,
): Promise<T> {
  const codecs = CompressionCodecs as unknown as Record<number, Codec>;
  const before = codecs[codec]!;
  codecs[codec] = () => ({ ...before(), compress: ({ buffer }) => compress(buffer) });
  try {
    return await work(codec);
  } finally {
    codecs[codec] = before;
  }
}

interface Encoder {
  readonly buffer: Buffer;
}
const recordBatches = require('kafkajs/src/protocol/recordBatch/v0/index.js') as {
  RecordBatch(batch: object): Promise<Encoder>;
};
const Record = require('kafkajs/src/protocol/recordBatch/record/v0/index.js') as (record: object) => Encoder;

/** The end of a producer's transaction, as a broker writes it. */
export async function controlBatchOf(
  type: 'abort' | 'commit',
  producerId: number,
  firstOffset: number,
): Promise<Buffer> {
  const key = Buffer.from([0, 0, 0, type === 'abort' ? 0 : 1]);
  const batch = await batchOf([{ key, value: Buffer.alloc(6) }], { firstOffset, producerId, transactional: true });
  batch.writeInt16BE(batch.readInt16BE(ATTRIBUTES_AT) | CONTROL, ATTRIBUTES_AT);
  return batch;
}

const ATTRIBUTES_AT = 21;
const CONTROL = 0x20;

/** A record batch as kafkajs' producer writes it and a broker stores it. */
export async function batchOf(
  messages: readonly Message[],
  more: {
    readonly firstOffset?: number;
    readonly compression?: CompressionName;
    readonly transactional?: boolean;
    readonly producerId?: number;
  } = {},
): Promise<Buffer> {
  const records = messages.map(({ key, value, headers }, offsetDelta) =>
    Record({ offsetDelta, timestampDelta: offsetDelta, key, value, headers }),
  );
  const { firstOffset = 0, compression, transactional = false, producerId = 7 } = more;
  const batch = async (codec?: number): Promise<Buffer> => {
    const { buffer } = await recordBatches.RecordBatch({
      compression: codec,
      firstTimestamp: 1_700_000_000_000,
      maxTimestamp: 1_700_000_000_000 + records.length - 1,
      lastOffsetDelta: records.length - 1,
      transactional,
      producerId,
      records,
    });
    const bytes = Buffer.from(buffer);
    bytes.writeBigInt64BE(BigInt(firstOffset));
    return bytes;
  };
  return compression === undefined ? batch() : compressingBy(COMPRESSIONS[compression], batch);
}
