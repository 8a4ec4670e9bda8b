import type { Logger } from '@gondola/service-kit/logging/logger';
import { settlesWithin } from '@gondola/service-kit/run/within';
import type { TopicName } from '@gondola/shared/topics/topics';

import { recordDigest } from '@gondola/kafka/records/record-digest';
import type { RecordSender, SentRecords } from '@gondola/kafka/produce/kafka-sender';
import type { ReadLimit } from '@gondola/kafka/produce/read-back';
import type { SentPlace } from '@gondola/kafka/produce/sent-place';
import type { RelayPlaces } from './relay-places.ts';
import type { RelayRow } from './relay-source.ts';

/**
 * Rows that are compared with what is in Kafka after a relay took over: more than another relay may have sent without
 * a mark that lasts. A relay that was killed has two sends of 500 at most; a crash of PostgreSQL also loses the marks
 * of its last 0.6 s (three times `wal_writer_delay`), as marks do not wait for the disk.
 */
export const COMPARED_ROWS = 10_000;

/** Limits of a comparison: the time for all topics at once, and bytes that they share in equal parts. */
export const COMPARISON = { ms: 5_000, bytes: 200_000_000 };
/** Time in which a sender gives what it has read when the time is over. */
const ANSWER_MS = 500;
/** Digests of a topic in memory, those of the newest records. */
const MOST_DIGESTS = 500_000;

/** Records that were found in a topic. */
interface Found {
  readonly digests: ReadonlySet<string>;
  readonly ends: ReadonlyMap<number, SentPlace>;
}

/**
 * Records that a relay before this one sent and did not mark: it was killed, or lost its connection. They are the
 * newest ones in Kafka, so the topics of the first rows that wait are read from their ends backwards, once. A relay
 * that takes over with nothing to send reads nothing.
 *
 * The comparison is a favour, never a condition of sending: what it does not reach within `COMPARISON` is sent again,
 * with the same key and `ce_id` (guarantee 2), and it never throws. What it found stays until all rows are compared
 * and sent, so a relay whose sends fail reads only what is new since.
 */
export class SentBefore {
  readonly #sender: Pick<RecordSender, 'sentSince'>;
  readonly #logger: Logger;
  readonly #component: string;
  readonly #found = new Map<TopicName, Found>();
  #left = 0;
  #isRead = false;
  #cuts = 0;

  constructor(sender: Pick<RecordSender, 'sentSince'>, logger: Logger, component: string) {
    this.#sender = sender;
    this.#logger = logger;
    this.#component = component;
  }

  /** To be called when the relay becomes active. */
  begin(): void {
    this.#left = COMPARED_ROWS;
    this.#isRead = false;
  }

  /** To be called when another relay is active: it moves the places on. */
  forget(): void {
    this.#left = 0;
    this.#found.clear();
  }

  /** True once no row can be one of them any more. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** True after `read`. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Number of comparisons that were cut short since the process started. */
  get cuts(): number {
    return this.#cuts;
  }

  /** To be called when no row waits: every row that a relay before this one may have sent was compared. */
  end(): void {
    this.#left = 0;
  }

  /**
   * To be called when it is over and what was compared is sent: no record that is sent and not marked is left before
   * the ends of what was read.
   */
  settle(places: RelayPlaces): void {
    places.raise([...this.#found.values()].flatMap(({ ends }) => [...ends.values()]));
    this.#found.clear();
  }

  /** Reads topics until `COMPARISON` is reached or `cancelled`, all at the same time. */
  async read(topics: readonly TopicName[], places: RelayPlaces, cancelled: AbortSignal): Promise<void> {
    this.#isRead = true;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), COMPARISON.ms);
    const limit = { bytes: COMPARISON.bytes / topics.length, signal: AbortSignal.any([cancelled, late.signal]) };
    const whole = await Promise.all(topics.map((topic) => this.#readTopic(topic, places, limit)));
    clearTimeout(timer);
    if (!cancelled.aborted && whole.includes(false)) this.#cuts += 1;
  }

  /** Divides `rows` into those that are in Kafka and those that are not. */
  divide(rows: readonly RelayRow[]): { readonly sent: readonly RelayRow[]; readonly unsent: readonly RelayRow[] } {
    const { sent = [], unsent = [] } = Object.groupBy(rows, (row) =>
      this.#found.get(row.topic)?.digests.has(recordDigest(row)) === true ? 'sent' : 'unsent',
    );
    this.#left -= rows.length;
    return { sent, unsent };
  }

  /** False if it was cut short. */
  async #readTopic(topic: TopicName, places: RelayPlaces, limit: ReadLimit): Promise<boolean> {
    const known = this.#found.get(topic)?.ends ?? new Map<number, SentPlace>();
    const placesOf = (name: string): ReadonlyMap<number, bigint> =>
      new Map([
        ...places.of(topic, name),
        ...[...known].map(([partition, { offset }]) => [partition, offset] as const),
      ]);
    try {
      const reading = this.#sender.sentSince(topic, placesOf, limit);
      if (!(await settlesWithin(COMPARISON.ms + ANSWER_MS, reading))) throw new Error('The sender does not answer');
      const found = await reading;
      if (found !== null) return this.#add(topic, found, places);
      this.#logger.warn(
        { component: this.#component, topic },
        'Kafka does not let this account read a topic that it writes; records may be sent again',
      );
      return true;
    } catch (err) {
      this.#warn(topic, { err });
      return false;
    }
  }

  #add(topic: TopicName, { name, digests, ends, cut, cause }: SentRecords, places: RelayPlaces): boolean {
    const reached = [...ends].map(([partition, offset]) => ({ topic, name, partition, offset }));
    places.drop(reached);
    const before = this.#found.get(topic);
    const ofPartitions = reached.map((place) => [place.partition, place] as const);
    this.#found.set(topic, {
      digests: new Set([...digests, ...(before?.digests ?? [])].slice(0, MOST_DIGESTS)),
      ends: new Map([...(before?.ends ?? []), ...ofPartitions]),
    });
    if (cut !== null) this.#warn(topic, { cut, records: digests.size, err: cause });
    return cut === null;
  }

  #warn(topic: TopicName, fields: object): void {
    this.#logger.warn(
      { component: this.#component, topic, ...fields },
      'The comparison with what is in Kafka was cut short; what waits is sent, and records may be repeated with the same key and ce_id',
    );
  }
}
