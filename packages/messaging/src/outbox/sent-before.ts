import type { Logger } from '@gondola/service-kit/logging/logger';
import type { TopicName } from '@gondola/shared/topics/topics';

import { recordDigest } from '../codec/record-digest.ts';
import type { RecordSender } from '../kafka/kafka-sender.ts';
import type { RelayPlaces } from './relay-places.ts';
import type { RelayRow } from './relay-source.ts';

/**
 * Rows that are compared with what is in Kafka after a relay took over: more than another relay may have sent without
 * a mark that lasts. A relay that was killed has two sends of 500 at most; a crash of PostgreSQL also loses the marks
 * of its last 0.6 s (three times `wal_writer_delay`), as marks do not wait for the disk.
 */
const COMPARED_ROWS = 10_000;

/**
 * Records that a relay before this one sent and did not mark: it was killed, or lost its connection. They are found
 * in Kafka, at the first row of each topic, so a relay that takes over with nothing to send reads nothing.
 */
export class SentBefore {
  readonly #sender: Pick<RecordSender, 'sentSince'>;
  readonly #places: RelayPlaces;
  readonly #logger: Logger;
  readonly #digests = new Map<TopicName, ReadonlySet<string>>();
  #left = COMPARED_ROWS;

  constructor(sender: Pick<RecordSender, 'sentSince'>, places: RelayPlaces, logger: Logger) {
    this.#sender = sender;
    this.#places = places;
    this.#logger = logger;
  }

  /** True once no row can be one of them any more. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** To be called when no row waits: every row that a relay before this one may have sent was compared. */
  end(): void {
    this.#left = 0;
    this.#digests.clear();
  }

  /** True until the first rows are compared. */
  get isFirst(): boolean {
    return this.#left === COMPARED_ROWS;
  }

  /** Divides `rows` into those that are in Kafka and those that are not. */
  async divide(rows: readonly RelayRow[]): Promise<{ sent: readonly RelayRow[]; unsent: readonly RelayRow[] }> {
    if (this.isOver) return { sent: [], unsent: rows };
    for (const topic of new Set(rows.map((row) => row.topic))) {
      if (!this.#digests.has(topic)) this.#digests.set(topic, await this.#read(topic));
    }
    const { sent = [], unsent = [] } = Object.groupBy(rows, (row) =>
      this.#digests.get(row.topic)!.has(recordDigest(row)) ? 'sent' : 'unsent',
    );
    this.#left -= rows.length;
    if (this.isOver) this.end();
    return { sent, unsent };
  }

  async #read(topic: TopicName): Promise<ReadonlySet<string>> {
    const digests = await this.#sender.sentSince(topic, this.#places.of(topic));
    if (digests !== null) return digests;
    this.#logger.warn(
      { topic },
      'Kafka does not let this account read a topic that it writes; records may be sent again',
    );
    return new Set();
  }
}
