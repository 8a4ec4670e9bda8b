import { createRequire } from 'node:module';

import { crc32c } from '@node-rs/crc32';

/**
 * kafkajs with a native CRC32C in place of its own in JavaScript, which costs as much as all the rest of producing large values. kafkajs
 * has no setting for it, so the module takes the place of its file before kafkajs is loaded: values of kafkajs are imported from here
 * only. Loaded too late (some other module imported kafkajs first), kafkajs keeps its own, slower and with the same result.
 */
const require = createRequire(import.meta.url);

const CRC32C_FILE = require.resolve('kafkajs/src/protocol/recordBatch/crc32C/index.js');

/** CRC32C (Castagnoli) of bytes, as an unsigned 32-bit number. */
export function checksum(bytes: Buffer): number {
  return crc32c(bytes);
}

if (require.cache[CRC32C_FILE] === undefined) {
  const own = { id: CRC32C_FILE, filename: CRC32C_FILE, loaded: true, exports: checksum };
  require.cache[CRC32C_FILE] = own as unknown as NodeJS.Module;
}

const kafkajs = require('kafkajs') as typeof import('kafkajs');

export const { ConfigResourceTypes, Kafka, Partitioners, logLevel } = kafkajs;
