import { headerText, HEADER, type WireRecord } from '../records/record-codec.ts';
import { recordDigest } from '../records/record-digest.ts';
import type { KafkaCode } from '../client/kafka-codes.ts';
import { type RecordSender, RecordSendError, type SendAnswer, type SentRecords } from '../produce/kafka-sender.ts';
import type { TopicName } from '@gondola/shared/topics/topics';

const PARTITIONS = 3;

/** Refusal of a topic by a broker; it ends after `times` sends. */
export interface TopicFault {
  readonly code: KafkaCode;
  times: number;
  /** `all`: told before any record is taken, and not about which topic; else records of this partition are refused. */
  readonly where: 'all' | number;
}

/** Kafka as a relay sees it: refuses topics, partitions and records with any code, and stays silent. */
export class ModelBroker implements RecordSender {
  /** Accepted records of each topic, in order. */
  readonly log: WireRecord[] = [];
  readonly faults = new Map<TopicName, TopicFault>();
  /** Records, by `ce_id`, with which no batch is accepted. */
  readonly guilty = new Map<string, KafkaCode>();
  /** Fates of the next sends, which get no answer: their records arrived or not. */
  readonly silences: ('arrived' | 'lost')[] = [];

  async send(records: readonly WireRecord[]): Promise<SendAnswer> {
    const silence = this.silences.shift();
    if (silence === 'lost') throw new RecordSendError('No answer');
    const refusals = this.#refusals(records);
    this.log.push(...records.filter((_, index) => !refusals.has(index)));
    if (silence === 'arrived') throw new RecordSendError('No answer');
    return { places: [], refusals };
  }

  async sentSince(topic: TopicName): Promise<SentRecords> {
    const digests = new Set(this.log.filter((record) => record.topic === topic).map(recordDigest));
    return { name: topic, digests, ends: new Map(), cut: null };
  }

  async close(): Promise<void> {}

  idsOf(topic: TopicName): string[] {
    return this.log.filter((record) => record.topic === topic).map(idOf);
  }

  #refusals(records: readonly WireRecord[]): Map<number, KafkaCode> {
    const refusals = new Map<number, KafkaCode>();
    const played = [...new Set(records.map(({ topic }) => topic))].flatMap((topic) => {
      const fault = this.faults.get(topic);
      return fault === undefined || fault.times <= 0 ? [] : [{ topic, fault }];
    });
    const all = played.find(({ fault }) => fault.where === 'all');
    if (all !== undefined) {
      // Told about one topic: that one alone has been played.
      all.fault.times -= 1;
      return new Map(records.map((_, index) => [index, all.fault.code]));
    }
    for (const { topic, fault } of played) {
      fault.times -= 1;
      for (const [index, record] of records.entries())
        if (record.topic === topic && partitionOf(record) === fault.where) refusals.set(index, fault.code);
    }
    for (const record of records) {
      const code = this.guilty.get(idOf(record));
      if (code === undefined) continue;
      for (const [index, other] of records.entries())
        if (other.topic === record.topic && partitionOf(other) === partitionOf(record) && !refusals.has(index))
          refusals.set(index, code);
    }
    return refusals;
  }
}

function idOf({ headers }: WireRecord): string {
  return headerText(headers, HEADER.id) ?? '';
}

/** Entities end with their number. */
function partitionOf({ headers }: WireRecord): number {
  return Number(headerText(headers, HEADER.partitionKey)?.split('/').at(-1)) % PARTITIONS;
}
