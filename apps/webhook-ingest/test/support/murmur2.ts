const M = 0x5bd1e995;

/**
 * Kafka's murmur2 (org.apache.kafka.common.utils.Utils), written from its Java source, so that tests have an
 * independent implementation.
 */
function murmur2(bytes: Uint8Array): number {
  const { length } = bytes;
  const words = length >> 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let hash = 0x9747b28c ^ length;
  for (let word = 0; word < words; word += 1) {
    let k = Math.imul(view.getInt32(word * 4, true), M);
    k = Math.imul(k ^ (k >>> 24), M);
    hash = Math.imul(hash, M) ^ k;
  }
  const rest = length & ~3;
  if ((length & 3) === 3) hash ^= bytes[rest + 2]! << 16;
  if ((length & 3) >= 2) hash ^= bytes[rest + 1]! << 8;
  if ((length & 3) >= 1) hash = Math.imul(hash ^ bytes[rest]!, M);
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

/** The partition that the contract prescribes for a `ce_partitionkey`. */
export function partitionOf(partitionKey: string, partitions: number): number {
  return (murmur2(new Uint8Array(Buffer.from(partitionKey))) & 0x7fffffff) % partitions;
}
