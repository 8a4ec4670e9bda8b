import { ByteReader } from './byte-reader.ts';

/** Headers by name, in kafkajs' form; the value is a list if the name occurs twice. */
export interface NamedHeaders {
  [name: string]: Buffer | string | Array<Buffer | string> | undefined;
}

/** A record in kafkajs' form. */
export interface KafkaMessage {
  readonly offset: string;
  /** Milliseconds since 1970 as decimal text; `-1` where there is none. */
  readonly timestamp: string;
  readonly attributes: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: NamedHeaders;
}

/** Header names and values in their order on the wire. Kafka allows a name twice and a value of null. */
export type RawHeaders = ReadonlyArray<readonly [name: string, value: Buffer | null]>;

/** Fields of a record's batch by which kafkajs leaves out aborted transactions. */
export interface BatchContext {
  readonly producerId: string;
  readonly inTransaction: boolean;
}

export interface FetchedRecordFields {
  readonly offset: string;
  /** Milliseconds since 1970 as decimal text; `-1` where there is none. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headerCount: number;
  /** Bytes of all headers as on the wire, checked to hold `headerCount` headers. */
  readonly headerBytes: Buffer;
  readonly batchContext: BatchContext;
  /** True for a record of Kafka's own (a transaction marker), which consumers never see. */
  readonly isControlRecord: boolean;
  /** Why the batch could not be read, if this record replaces a batch; its value is then the whole batch. */
  readonly unreadable?: string;
}

/**
 * A record in the form of kafkajs' consumer. Headers are decoded only when they are read, in time linear in their
 * number; their order is preserved, and a null stays a null.
 */
export class FetchedRecord implements KafkaMessage {
  readonly attributes = 0;
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly batchContext: BatchContext;
  readonly isControlRecord: boolean;
  readonly unreadable: string | undefined;
  readonly headerCount: number;
  readonly #headers: Buffer;

  constructor(fields: FetchedRecordFields) {
    this.offset = fields.offset;
    this.timestamp = fields.timestamp;
    this.key = fields.key;
    this.value = fields.value;
    this.batchContext = fields.batchContext;
    this.isControlRecord = fields.isControlRecord;
    this.unreadable = fields.unreadable;
    this.headerCount = fields.headerCount;
    this.#headers = fields.headerBytes;
  }

  /** Size of all headers on the wire, in bytes. */
  get headerBytes(): number {
    return this.#headers.length;
  }

  /** Headers by name, in kafkajs' form. The object has no prototype, since a header may be named `constructor`. */
  get headers(): NamedHeaders {
    const headers = Object.create(null) as Record<string, Buffer | null | Array<Buffer | null>>;
    for (const [name, value] of this.rawHeaders()) {
      const earlier = headers[name];
      if (earlier === undefined) headers[name] = value;
      else if (Array.isArray(earlier)) earlier.push(value);
      else headers[name] = [earlier, value];
    }
    return headers as NamedHeaders;
  }

  /** Headers in their order on the wire. */
  rawHeaders(): RawHeaders {
    const reader = new ByteReader(this.#headers);
    return Array.from({ length: this.headerCount }, () => {
      const name = reader.bytes(reader.varint()).toString('utf8');
      return [name, reader.nullableBytes()] as const;
    });
  }
}
