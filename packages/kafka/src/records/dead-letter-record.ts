import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import {
  encodeHeaders,
  HEADER,
  headerText,
  type InRecord,
  ORIGINAL_HEADER_PREFIX,
  type RawHeaders,
  type WireRecord,
} from './record-codec.ts';
import { MAX_MESSAGE_BYTES } from '../topics/topic-sizes.ts';

/** A record that cannot be handled, with the reason. */
export interface NewDeadLetter {
  readonly record: InRecord;
  readonly code: ReasonCode;
  /** Sentence for operators, without personal data: of the record's content it contains only field names. */
  readonly reason: string;
  /** Absent if unknown. */
  readonly tenant?: string;
}

/** A dead letter with its trace: the trace of the record, or a new one. */
export type TracedDeadLetter = NewDeadLetter & { readonly traceparent: string };

/** App and consumer group that publish the dead letter. */
export interface DeadLetterOrigin {
  readonly app: string;
  /** The consumer group with its prefix. */
  readonly group: string;
  readonly topicPrefix: string;
}

const MAX_REASON_LENGTH = 1_000;
/** Limit for the original record's content; the rest of the message is reserved for Gondola's own headers. */
const MAX_CONTENT_BYTES = MAX_MESSAGE_BYTES['dead-letters.v1'] - 65_536;
const MAX_KEY_BYTES = 1_048_576;
/** Each header takes kafkajs half a kilobyte of memory to write. */
const MAX_ORIGINAL_HEADERS = 5_000;
/** Size of the prefix and two lengths. */
const HEADER_OVERHEAD_BYTES = ORIGINAL_HEADER_PREFIX.length + 10;
const DEAD_LETTER_TYPE = 'gondola.dead-letter.v1';

/** `<group>/<full topic>/<partition>/<offset>`: the same when the record is consumed again. */
export function deadLetterId({ group, topicPrefix }: DeadLetterOrigin, record: InRecord): string {
  return `${group}/${fullTopicName(topicPrefix, record.topic)}/${record.partition}/${record.offset}`;
}

/**
 * `text` in a form that PostgreSQL can store: a reason may contain a field name of the record, with any characters.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MAX_REASON_LENGTH);
}

/**
 * Record for `dead-letters.v1` (contract, "Dead letters"): key and value bytes of the original, and its headers as
 * `orig_<name>`. `time` is RFC 3339. Without `ce_partitionkey` the record is partitioned by the original key.
 * Content beyond the topic's limit is cut, and `ce_truncated` names it with its full size; the table stores all of
 * it.
 */
export function deadLetterRecord(letter: TracedDeadLetter, origin: DeadLetterOrigin, time: string): WireRecord {
  const { record, code, reason, tenant, traceparent } = letter;
  const { key, value, headers, truncated } = fitting(record);
  const own = encodeHeaders(
    {
      topic: 'dead-letters.v1',
      key,
      value,
      id: deadLetterId(origin, record),
      type: DEAD_LETTER_TYPE,
      time,
      contentType: null,
      ...(tenant === undefined ? {} : { tenant }),
      traceparent,
      extra: {
        [HEADER.originTopic]: fullTopicName(origin.topicPrefix, record.topic),
        [HEADER.originPartition]: String(record.partition),
        [HEADER.originOffset]: record.offset,
        [HEADER.group]: origin.group,
        [HEADER.reasonCode]: code,
        [HEADER.reason]: storableText(reason),
        ...(truncated.length === 0 ? {} : { [HEADER.truncated]: truncated.join(' ') }),
      },
    },
    origin.app,
  );
  return { topic: 'dead-letters.v1', key, value, headers: [...own, ...headers] };
}

interface Fitting {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
  readonly truncated: readonly string[];
}

/** Fits the key first, then the value, then the headers; a header is included whole or not at all. */
function fitting(record: InRecord): Fitting {
  let left = MAX_CONTENT_BYTES;
  const truncated: string[] = [];
  const cut = (name: string, bytes: Buffer | null, most: number): Buffer | null => {
    if (bytes !== null && bytes.length > most) truncated.push(`${name}=${bytes.length}`);
    const fit = bytes === null || bytes.length <= most ? bytes : bytes.subarray(0, most);
    left -= fit?.length ?? 0;
    return fit;
  };
  const key = cut('key', record.key, MAX_KEY_BYTES);
  const value = cut('value', record.value, left);
  const headers: Array<RawHeaders[number]> = [];
  for (const [name, bytes] of record.headers.slice(0, MAX_ORIGINAL_HEADERS)) {
    left -= Buffer.byteLength(name) + (bytes?.length ?? 0) + HEADER_OVERHEAD_BYTES;
    if (left < 0) break;
    headers.push([ORIGINAL_HEADER_PREFIX + name, bytes]);
  }
  if (headers.length < record.headers.length) truncated.push(`headers=${record.headers.length}`);
  return { key, value, headers, truncated };
}

/** Fields of a stored dead letter that a redrive uses. */
export interface RedrivableLetter {
  readonly id: string;
  readonly topic: TopicName;
  readonly group: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
  /** Number of earlier redrives of this letter. */
  readonly redriven: number;
}

/**
 * The original record again: same topic, key, value and headers, byte for byte, with `ce_redrive` (the number of
 * this redrive, counting those of the record's earlier letters), `ce_redrivegroup` (the only group that processes it)
 * and `ce_redriveof` (this letter, which counts a failure of the record).
 */
export function redriveRecord({ id, topic, group, key, value, headers, redriven }: RedrivableLetter): WireRecord {
  const times = redriveCount(headers) + redriven + 1;
  return {
    topic,
    key,
    value,
    headers: [
      ...originalHeaders(headers),
      [HEADER.redrive, Buffer.from(String(times))],
      [HEADER.redriveGroup, Buffer.from(group)],
      [HEADER.redriveOf, Buffer.from(id)],
    ],
  };
}

const REDRIVE_HEADERS: ReadonlySet<string> = new Set([HEADER.redrive, HEADER.redriveGroup, HEADER.redriveOf]);

/** `headers` without those that a redrive adds. */
export function originalHeaders(headers: RawHeaders): RawHeaders {
  return headers.filter(([name]) => !REDRIVE_HEADERS.has(name));
}

/** The letter of which a record is the redrive, and the number of that redrive; null for any other record. */
export function redriveOf(record: InRecord, group: string): { readonly id: string; readonly redrive: number } | null {
  const id = record.header(HEADER.redriveOf);
  if (id === undefined || record.header(HEADER.redriveGroup) !== group) return null;
  // No letter has such an id, and PostgreSQL takes no text with NUL.
  if (id.includes('\0')) return null;
  return { id, redrive: redriveCount(record.headers) };
}

/** True for a record that was redriven for another consumer group than `group`. */
export function isRedriveOfAnotherGroup(record: InRecord, group: string): boolean {
  const redriveGroup = record.header(HEADER.redriveGroup);
  return redriveGroup !== undefined && redriveGroup !== group;
}

function redriveCount(headers: RawHeaders): number {
  const text = headerText(headers, HEADER.redrive) ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
