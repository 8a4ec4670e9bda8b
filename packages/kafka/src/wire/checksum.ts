import { crc32c } from '@node-rs/crc32';

/** CRC32C (Castagnoli) of bytes, as an unsigned 32-bit number. */
export function checksum(bytes: Buffer): number {
  return crc32c(bytes);
}
