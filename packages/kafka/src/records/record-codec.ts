import type { TopicName } from '@gondola/shared/topics/topics';

import { FetchedRecord, type KafkaMessage, type NamedHeaders, type RawHeaders } from '../wire/fetched-record.ts';

/**
 * The one home of header names, of their order, and of the conversion between Gondola's records and Kafka's. Bytes
 * are never changed on the way: keys, values and header values stay Buffers, a null stays null, and a repeated
 * header name stays repeated.
 */
export const HEADER = {
  contentType: 'content-type',
  specVersion: 'ce_specversion',
  id: 'ce_id',
  source: 'ce_source',
  type: 'ce_type',
  subject: 'ce_subject',
  time: 'ce_time',
  tenant: 'ce_tenant',
  partitionKey: 'ce_partitionkey',
  sequence: 'ce_sequence',
  commandId: 'ce_commandid',
  traceparent: 'traceparent',
  operationId: 'ce_operationid',
  relatedEntity: 'ce_relatedentity',
  originTopic: 'ce_origintopic',
  originPartition: 'ce_originpartition',
  originOffset: 'ce_originoffset',
  group: 'ce_group',
  reasonCode: 'ce_reasoncode',
  reason: 'ce_reason',
  truncated: 'ce_truncated',
  redrive: 'ce_redrive',
  redriveGroup: 'ce_redrivegroup',
  redriveOf: 'ce_redriveof',
  replay: 'ce_replay',
} as const;

/** Begin of `ce_source` of what Gondola writes; the app's name follows. */
export const OWN_SOURCE = '/gondola/';

/** Prefix of each original header's name in a dead letter. */
export const ORIGINAL_HEADER_PREFIX = 'orig_';

export type { RawHeaders };

/**
 * A record as it is on the wire. Its partition is chosen by the header `ce_partitionkey`, else by its key, else by
 * the partitioner.
 */
export interface WireRecord {
  readonly topic: TopicName;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
}

/**
 * A record that Gondola writes; `encodeRecord` gives it its headers (`contract.md`,
 * "Headers on what Gondola writes").
 */
export interface OutRecord {
  readonly topic: TopicName;
  readonly key: string | Buffer | null;
  /** `ce_id`: equal for all records of one fact. */
  readonly id: string;
  readonly type: string;
  readonly subject?: string;
  /** RFC 3339 with an offset. */
  readonly time: string;
  readonly tenant?: string;
  /** `<tenant>/<kind>/<identity>`; chooses the partition instead of the key. */
  readonly partitionKey?: string;
  readonly sequence?: number;
  readonly commandId?: string;
  /** Trace of the record or request that caused this record, or a new one if nothing did. */
  readonly traceparent: string;
  readonly extra?: Record<string, string | Buffer>;
  readonly value: Buffer | null;
  /** Defaults to `application/json`; null leaves the header out. */
  readonly contentType?: string | null;
  /** When what it answers or tells came, in milliseconds since 1970: the mode of a tenant in shadow. Default: now. */
  readonly cameAt?: number;
}

/** A record as it was consumed. */
export interface InRecord {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Milliseconds since 1970 as decimal text, as Kafka gives it. */
  readonly timestamp: string;
  readonly headers: RawHeaders;
  /**
   * Why the batch could not be read, if this record replaces a batch, which is then its value. It is no header, so
   * a producer cannot set it.
   */
  readonly unreadable?: string;
  /** Last value of the header as UTF-8 text; undefined if the header is absent or null. */
  header(name: string): string | undefined;
}

/** kafkajs' types leave out the null that its decoder returns for a header without a value. */
type HeaderValue = Buffer | string | null | undefined;

/** Number of digits of `ce_sequence`, so that its text sorts like its number. */
const SEQUENCE_DIGITS = 10;

/** Headers of `record` in their order on the wire; `app` is the app's name in `ce_source`. */
export function encodeHeaders(record: OutRecord, app: string): RawHeaders {
  const contentType = record.contentType === undefined ? 'application/json' : record.contentType;
  const named: Array<readonly [string, string | Buffer | null | undefined]> = [
    [HEADER.contentType, contentType],
    [HEADER.specVersion, '1.0'],
    [HEADER.id, record.id],
    [HEADER.source, OWN_SOURCE + app],
    [HEADER.type, record.type],
    [HEADER.subject, record.subject],
    [HEADER.time, record.time],
    [HEADER.tenant, record.tenant],
    [HEADER.partitionKey, record.partitionKey],
    [HEADER.sequence, record.sequence?.toString().padStart(SEQUENCE_DIGITS, '0')],
    [HEADER.commandId, record.commandId],
    [HEADER.traceparent, record.traceparent],
    ...Object.entries(record.extra ?? {}),
  ];
  return named.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, toBytes(value)] as const],
  );
}

/** `record` in its wire form, with `app` as its source. */
export function encodeRecord(record: OutRecord, app: string): WireRecord {
  return {
    topic: record.topic,
    key: record.key === null ? null : toBytes(record.key),
    value: record.value,
    headers: encodeHeaders(record, app),
  };
}

/** Decodes a message of kafkajs into a record of the topic, whose name is given without its prefix. */
export function decodeRecord(topic: TopicName, partition: number, message: KafkaMessage): InRecord {
  const headers = message instanceof FetchedRecord ? message.rawHeaders() : fromKafkaHeaders(message.headers ?? {});
  const unreadable = message instanceof FetchedRecord ? message.unreadable : undefined;
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key,
    value: message.value,
    timestamp: message.timestamp,
    headers,
    ...(unreadable === undefined ? {} : { unreadable }),
    header: (name) => headerText(headers, name),
  };
}

/** Last value of the header `name` as UTF-8 text; undefined if the header is absent or null. */
export function headerText(headers: RawHeaders, name: string): string | undefined {
  return headers.findLast(([each]) => each === name)?.[1]?.toString('utf8');
}

/**
 * Headers as one JSON text for a `text` column: `[["ce_id","x"],["binary",{"base64":"/w=="}],["none",null]]`.
 * Values that are UTF-8 stay readable, all others are base64; `headersFromText` returns the same bytes.
 */
export function headersToText(headers: RawHeaders): string {
  return JSON.stringify(
    headers.map(([name, value]) => {
      if (value === null) return [name, null];
      const text = value.toString('utf8');
      return [name, Buffer.from(text, 'utf8').equals(value) ? text : { base64: value.toString('base64') }];
    }),
  );
}

/** The inverse of `headersToText`. */
export function headersFromText(text: string): RawHeaders {
  const stored = JSON.parse(text) as Array<[string, string | { base64: string } | null]>;
  return stored.map(([name, value]) => {
    if (value === null) return [name, null];
    return [name, typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value.base64, 'base64')];
  });
}

function fromKafkaHeaders(headers: NamedHeaders): RawHeaders {
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value: HeaderValue) => [
      name,
      value == null ? null : toBytes(value),
    ]),
  );
}

function toBytes(value: string | Buffer): Buffer {
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
}
