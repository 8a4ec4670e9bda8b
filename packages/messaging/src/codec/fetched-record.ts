import { ByteReader } from './byte-reader.ts';

/** Headers by name, as a Kafka client gives and takes them; a list for a name that occurs twice. */
export interface NamedHeaders {
  [name: string]: Buffer | string | Array<Buffer | string> | undefined;
}

/** A record as a Kafka client hands it over. */
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

/** Fields of a record's batch that kafkajs needs to leave out aborted transactions. */
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
  /** As they stand on the wire, checked to hold `headerCount` headers. */
  readonly headerBytes: Buffer;
  readonly batchContext: BatchContext;
  /** One of Kafka's own, which no consumer is shown. */
  readonly isControlRecord: boolean;
  /** Why the batch that this record stands for could not be read; its value is then the batch. */
  readonly unreadable?: string;
}

/**
 * A record as kafkajs' consumer hands it over. Its headers are decoded only when somebody asks for them: in time linear
 * in their number, in their order, a null staying a null.
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

  /** How many bytes all the headers take on the wire. */
  get headerBytes(): number {
    return this.#headers.length;
  }

  /** By name, as kafkajs gives them; an object without a prototype, since a header may be named `constructor`. */
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

  /** In their order on the wire. */
  rawHeaders(): RawHeaders {
    const reader = new ByteReader(this.#headers);
    return Array.from({ length: this.headerCount }, () => {
      const name = reader.bytes(reader.varint()).toString('utf8');
      return [name, reader.nullableBytes()] as const;
    });
  }
}
