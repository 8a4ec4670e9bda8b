import { UnreadableBatchError } from './byte-reader.ts';

const MAGIC = 0x184d_2204;
/** Magic, flags and block size. */
const HEADER_START_BYTES = 6;
const CHECKSUM_BYTES = 4;
const LENGTH_BYTES = 4;
const FLAG = { blockChecksums: 0x10, contentSize: 0x08, contentChecksum: 0x04, dictionary: 0x01 };
const STORED_BLOCK = 0x8000_0000;
/** Shortest length of a match. */
const MIN_MATCH = 4;

export interface Lz4Frame {
  /** Length of the frame; later bytes do not belong to it. */
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/**
 * Measures the LZ4 frame at the start of `frame` from its blocks' tokens, without unpacking any block: the library
 * accepts no limit, and the size that a frame states may be absent or wrong. Linear in the frame. Throws an
 * `UnreadableBatchError` if the frame is damaged.
 */
export function measureLz4(frame: Buffer): Lz4Frame {
  if (frame.length < HEADER_START_BYTES + 1 || frame.readUInt32LE(0) !== MAGIC) throw damaged();
  const flags = frame[4]!;
  let at = HEADER_START_BYTES + (flags & FLAG.contentSize ? 8 : 0) + (flags & FLAG.dictionary ? 4 : 0) + 1;
  let unpackedBytes = 0;
  for (;;) {
    if (at + LENGTH_BYTES > frame.length) throw damaged();
    const word = frame.readUInt32LE(at);
    if (word === 0) {
      return { bytes: at + LENGTH_BYTES + (flags & FLAG.contentChecksum ? CHECKSUM_BYTES : 0), unpackedBytes };
    }
    const isStored = word >= STORED_BLOCK;
    const length = isStored ? word - STORED_BLOCK : word;
    const start = at + LENGTH_BYTES;
    const end = start + length;
    if (end > frame.length) throw damaged();
    unpackedBytes += isStored ? length : blockUnpackedBytes(frame, start, end);
    at = end + (flags & FLAG.blockChecksums ? CHECKSUM_BYTES : 0);
  }
}

/** A block is a list of sequences: a token, literals, and, except in the last, a two-byte offset and a match. */
function blockUnpackedBytes(frame: Buffer, start: number, end: number): number {
  let bytes = 0;
  let at = start;
  const readLength = (nibble: number): number => {
    let length = nibble;
    let byte = nibble === 15 ? 255 : 0;
    while (byte === 255) {
      if (at >= end) throw damaged();
      byte = frame[at++]!;
      length += byte;
    }
    return length;
  };
  while (at < end) {
    const token = frame[at++]!;
    const literals = readLength(token >>> 4);
    at += literals;
    bytes += literals;
    if (at >= end) break;
    at += 2;
    bytes += readLength(token & 15) + MIN_MATCH;
  }
  return bytes;
}

function damaged(): UnreadableBatchError {
  return new UnreadableBatchError('lz4: o quadro está danificado');
}
