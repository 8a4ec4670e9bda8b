import { promisify } from 'node:util';
import { unzip, zstdDecompress } from 'node:zlib';

import { measureLz4 } from './lz4-frame.ts';
import { UnreadableBatchError } from './byte-reader.ts';

const unzipAsync = promisify(unzip);
const zstdDecompressAsync = promisify(zstdDecompress);

/** Kafka's codec numbers, in the lowest three bits of a batch's attributes. */
export const CODEC = { none: 0, gzip: 1, snappy: 2, lz4: 3, zstd: 4 } as const;

/**
 * Java's snappy writes this in front of its blocks (xerial's framing); librdkafka writes a single raw block without
 * it.
 */
const XERIAL_MAGIC = Buffer.from('\u0082SNAPPY\0', 'latin1');
/** Magic, version and compatible version. */
const XERIAL_HEADER_BYTES = 16;
const ZLIB_CHUNK = { min: 16_384, max: 1_048_576, ratio: 4 };

/**
 * Decompresses a batch, or a message of an old format. Throws an `UnreadableBatchError` if the content is damaged
 * or larger than `maxBytes`; no codec produces more than `maxBytes` before the size is known. The libraries of LZ4 and
 * snappy are loaded by their first batch: each reserves 2 MB.
 */
export async function unpack(codec: number, packed: Buffer, maxBytes: number): Promise<Buffer> {
  const unpackWith = UNPACKERS.get(codec);
  if (unpackWith === undefined) throw new UnreadableBatchError(`o codec de compressão ${codec} não é conhecido`);
  try {
    return await unpackWith(packed, maxBytes);
  } catch (error) {
    if (error instanceof UnreadableBatchError) throw error;
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    const name = Object.entries(CODEC).find(([, number]) => number === codec)![0];
    throw new UnreadableBatchError(`${name}: ${(error as Error).message}`);
  }
}

type Unpacker = (packed: Buffer, maxBytes: number) => Promise<Buffer>;

const UNPACKERS: ReadonlyMap<number, Unpacker> = new Map<number, Unpacker>([
  [CODEC.none, async (bytes) => bytes],
  [CODEC.gzip, (packed, maxOutputLength) => unzipAsync(packed, { maxOutputLength, chunkSize: chunkSize(packed) })],
  [CODEC.snappy, unpackSnappy],
  [CODEC.lz4, unpackLz4],
  [CODEC.zstd, unpackZstd],
]);

function unpackZstd(packed: Buffer, maxOutputLength: number): Promise<Buffer> {
  return zstdDecompressAsync(packed, { maxOutputLength, chunkSize: chunkSize(packed) });
}

/**
 * zlib returns its result in chunks, which are joined at the end: larger chunks for larger content, so that they
 * are few.
 */
function chunkSize(packed: Buffer): number {
  return Math.max(ZLIB_CHUNK.min, Math.min(ZLIB_CHUNK.max, packed.length * ZLIB_CHUNK.ratio));
}

async function unpackLz4(packed: Buffer, maxBytes: number): Promise<Buffer> {
  const { bytes, unpackedBytes } = measureLz4(packed);
  if (unpackedBytes > maxBytes) throw tooLarge(maxBytes);
  const { decompressFrame } = await import('lz4-napi');
  return decompressFrame(packed.subarray(0, bytes));
}

/**
 * Runs on this thread: Java's blocks are small and many, and passing one to another thread costs more than
 * unpacking it.
 */
async function unpackSnappy(packed: Buffer, maxBytes: number): Promise<Buffer> {
  const blocks = packed.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC) ? xerialBlocks(packed) : [packed];
  const unpackedBytes = blocks.reduce((sum, block) => sum + snappyUnpackedBytes(block), 0);
  if (unpackedBytes > maxBytes) throw tooLarge(maxBytes);
  const { uncompressSync } = await import('snappy');
  const unpacked = blocks.map((block) => uncompressSync(block) as Buffer);
  return unpacked.length === 1 ? unpacked[0]! : Buffer.concat(unpacked);
}

function xerialBlocks(packed: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  let at = XERIAL_HEADER_BYTES;
  while (at < packed.length) {
    const start = at + Int32Array.BYTES_PER_ELEMENT;
    const end = start <= packed.length ? start + packed.readInt32BE(at) : NaN;
    if (!(end > start && end <= packed.length)) throw new UnreadableBatchError('snappy: um bloco está incompleto');
    blocks.push(packed.subarray(start, end));
    at = end;
  }
  return blocks;
}

/** A block begins with the length of its content, in seven bits per byte. */
function snappyUnpackedBytes(block: Buffer): number {
  let length = 0;
  for (const [index, byte] of block.subarray(0, 5).entries()) {
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  throw new UnreadableBatchError('snappy: o tamanho de um bloco está danificado');
}

function tooLarge(maxBytes: number): UnreadableBatchError {
  return new UnreadableBatchError(`o conteúdo descompactado passa de ${maxBytes} bytes`);
}
