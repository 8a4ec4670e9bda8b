import { createHash } from 'node:crypto';

import { HEADER, type WireRecord } from './record-codec.ts';

const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/** Identifies a record by its bytes; without `traceparent`, which is another one each time a record is sent. */
export function recordDigest({ key, value, headers }: Pick<WireRecord, 'key' | 'value' | 'headers'>): string {
  const hash = createHash('sha256');
  const add = (bytes: Buffer | null): void => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeInt32BE(bytes?.length ?? NULL_LENGTH);
    hash.update(length);
    if (bytes !== null) hash.update(bytes);
  };
  add(key);
  add(value);
  for (const [name, each] of headers) {
    if (name === HEADER.traceparent) continue;
    add(Buffer.from(name));
    add(each);
  }
  return hash.digest('base64');
}
