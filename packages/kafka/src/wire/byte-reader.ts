/** A record batch that cannot be decoded; the message gives the reason without the batch's content. */
export class UnreadableBatchError extends Error {
  readonly code = 'BATCH_UNREADABLE';
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableBatchError';
  }
}

const MAX_VARINT_BYTES = 5;
const MAX_VARLONG_BYTES = 10;

/** Reads Kafka's variable-length fields. Throws an `UnreadableBatchError` where a length points beyond the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw damaged();
    return this.#bytes[this.#at++]!;
  }

  /** A signed 32-bit number (zigzag). */
  varint(): number {
    let value = 0;
    for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    throw damaged();
  }

  /** A signed 64-bit number (zigzag). */
  varlong(): bigint {
    let value = 0n;
    for (let index = 0n; index < MAX_VARLONG_BYTES; index += 1n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << (7n * index);
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw damaged();
  }

  /** Bytes after their length; a length of -1 stands for null. The bytes are not copied. */
  nullableBytes(): Buffer | null {
    const length = this.varint();
    return length === -1 ? null : this.bytes(length);
  }

  bytes(length: number): Buffer {
    if (length < 0 || length > this.left) throw damaged();
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }

  rest(): Buffer {
    return this.bytes(this.left);
  }
}

function damaged(): UnreadableBatchError {
  return new UnreadableBatchError('um tamanho no lote aponta para além do seu fim');
}
