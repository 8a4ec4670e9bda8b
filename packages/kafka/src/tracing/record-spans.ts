import { type OpenSpan, tracing } from '@gondola/service-kit/tracing/tracing';
import { codeOf } from '@gondola/service-kit/logging/safe-error';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';
import { traceparentAtIntake } from '@gondola/shared/topics/traceparent';

import { HEADER, headerText, type InRecord, type WireRecord } from '../records/record-codec.ts';

interface ConsumedBatch {
  readonly topic: TopicName;
  readonly partition: number;
  readonly records: readonly InRecord[];
}

/** Handles a batch; a record has a span in its own trace from the moment its `traceparentOf` is asked for. */
export async function tracedBatch(
  { topic, partition, records }: ConsumedBatch,
  { topicPrefix, group }: { readonly topicPrefix: string; readonly group: string },
  handle: () => Promise<void>,
): Promise<void> {
  if (!tracing.isOn) return handle();
  const attributes = {
    ...kafkaAttributes('process', fullTopicName(topicPrefix, topic), records.length),
    'messaging.destination.partition.id': String(partition),
    'messaging.consumer.group.name': group,
  };
  return tracing.during({ name: `process ${topic}`, kind: 'consumer', attributes }, handle);
}

/**
 * `traceparent` of everything that follows from a record: that of its span if it is traced, else the received one if it
 * is readable, else a new one.
 */
export function traceparentOf(record: InRecord, random: (bytes: number) => Uint8Array): string {
  const received = record.header(HEADER.traceparent);
  return tracing.spanIn(received)?.traceparent ?? traceparentAtIntake(received, random);
}

/** Sends records, each that is sampled with a span of its own as their `traceparent`. */
export async function tracedSend<Answer extends { readonly refusals: ReadonlyMap<number, string> }>(
  records: readonly WireRecord[],
  topicPrefix: string,
  send: (records: readonly WireRecord[]) => Promise<Answer>,
): Promise<Answer> {
  if (!tracing.isOn) return send(records);
  const spans = new Map<number, OpenSpan>();
  const traced = records.map((record, index) => {
    const parent = headerText(record.headers, HEADER.traceparent);
    if (parent === undefined) return record;
    const attributes = kafkaAttributes('send', fullTopicName(topicPrefix, record.topic), records.length);
    const span = tracing.start({ name: `send ${record.topic}`, kind: 'producer', parent, attributes });
    if (span === null) return record;
    spans.set(index, span);
    return withTraceparent(record, span.traceparent);
  });
  try {
    const answer = await send(traced);
    for (const [index, span] of spans) {
      const error = answer.refusals.get(index);
      span.end(error === undefined ? {} : { error });
    }
    return answer;
  } catch (error) {
    for (const span of spans.values()) span.end({ error: codeOf(error) ?? 'Error' });
    throw error;
  }
}

function withTraceparent(record: WireRecord, traceparent: string): WireRecord {
  const others = record.headers.filter(([name]) => name !== HEADER.traceparent);
  return { ...record, headers: [...others, [HEADER.traceparent, Buffer.from(traceparent)]] };
}

/** By the conventions for messaging; neither the key nor the offset, which belong to one entity. */
function kafkaAttributes(operation: 'process' | 'send', topic: string, count: number) {
  return {
    'messaging.system': 'kafka',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': topic,
    'messaging.batch.message_count': count,
  };
}
