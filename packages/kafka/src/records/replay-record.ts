import { subjectOf } from '@gondola/shared/topics/identities';
import type { ReplayedTopic } from '@gondola/shared/topics/replayed-topics';
import { topicSpec } from '@gondola/shared/topics/topics';

import type { FetchedRecord } from '../wire/fetched-record.ts';
import { originalHeaders } from './dead-letter-record.ts';
import { HEADER, headerText, type InRecord, OWN_SOURCE, type RawHeaders, type WireRecord } from './record-codec.ts';

/** The records that a replay publishes again. */
export interface Replayed {
  readonly id: string;
  readonly of: ReplayedTopic;
  /** Topic that gets the records, without its prefix; it need not be Gondola's. */
  readonly target: string;
  /** Null: those of all. */
  readonly tenant: string | null;
  readonly orderNumber: string | null;
}

/** A record that is published again. */
export interface ReplayRecord {
  readonly tenant: string;
  /** Identity of its entity, as its subject has it. */
  readonly identity: string;
  /** The order that it is about, if any. */
  readonly orderNumber: string | null;
  /** Its `ce_id`. */
  readonly id: string;
  readonly record: WireRecord;
}

const ORDER = subjectOf({ kind: 'order', identity: '' });

/**
 * The record as a replay publishes it: key, value and headers byte for byte, and `ce_replay`. Null for one that the
 * replay leaves out: another's, one that cannot be read, a redrive or an earlier replay. In a compacted topic these two
 * may be all that is left of their key, so they count as the record that they repeat.
 */
export function replayRecord(record: FetchedRecord, { id, of, target, ...wanted }: Replayed): ReplayRecord | null {
  if (record.isControlRecord || record.unreadable !== undefined) return null;
  const all = record.rawHeaders();
  const headers = firstHeaders(all);
  const [tenant, eventId] = [headerText(headers, HEADER.tenant), headerText(headers, HEADER.id)];
  const isOwn = headerText(headers, HEADER.source) === OWN_SOURCE + of.app;
  if (!isOwn || tenant === undefined || eventId === undefined) return null;
  if (!of.isCompacted && headers.length < all.length) return null;
  const subject = headerText(headers, HEADER.subject) ?? '';
  const orderNumber = of.hasOrders && subject.startsWith(ORDER) ? subject.slice(ORDER.length) : null;
  if (wanted.tenant !== null && wanted.tenant !== tenant) return null;
  if (wanted.orderNumber !== null && wanted.orderNumber !== orderNumber) return null;
  const { key, value } = record;
  const marked: RawHeaders = [...headers, [HEADER.replay, Buffer.from(id)]];
  // The sender only puts the prefix in front of the name.
  const again = { topic: target as WireRecord['topic'], key, value, headers: marked };
  return { tenant, identity: subject.slice(subject.indexOf('/') + 1), orderNumber, id: eventId, record: again };
}

function firstHeaders(headers: RawHeaders): RawHeaders {
  return originalHeaders(headers).filter(([name]) => name !== HEADER.replay);
}

/**
 * True for a replay that Gondola's own consumers pass over: they have read the record before. In a compacted topic it
 * may be all that is left of its key, and taking it again changes nothing. An ERP's records have no such header.
 */
export function isPassedReplay(record: InRecord): boolean {
  const { writers, cleanup } = topicSpec(record.topic);
  return cleanup === 'delete' && !writers.includes('erp') && record.header(HEADER.replay) !== undefined;
}
