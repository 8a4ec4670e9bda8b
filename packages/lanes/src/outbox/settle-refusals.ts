import type { Logger } from '@gondola/service-kit/logging/logger';
import { type TopicName, topicSpec } from '@gondola/shared/topics/topics';

import { causeOf, type KafkaCode } from '@gondola/kafka/client/kafka-codes';
import { type RecordSender, RecordSendError, type SendAnswer } from '@gondola/kafka/produce/kafka-sender';
import { type RefusedTopics, refusalText } from './refused-topics.ts';
import type { HeldLock } from './relay-lock.ts';
import type { RelayPlaces } from './relay-places.ts';
import type { RelayRow, RelaySource } from './relay-source.ts';

/** Lock and places of an active relay. */
interface Tenure {
  readonly held: HeldLock;
  readonly places: RelayPlaces;
}

interface Dependencies {
  readonly source: RelaySource;
  readonly sender: RecordSender;
  readonly logger: Logger;
  /** Name of the relay in the log. */
  readonly component: string;
}

/**
 * Decides what becomes of records that Kafka did not accept together with others:
 *
 *   several topics ──▶ each topic alone ┬─ time, place or rights ──▶ the topic waits, with all its records
 *                                       └─ a record ──▶ one half, then the other … ──▶ the one that is alone is parked
 *
 * What was accepted is marked first. So every record of a topic that does not wait is sent or parked at the end, in the
 * order of its entity.
 */
export class SettleRefusals {
  readonly #with: Dependencies;
  readonly #refused: RefusedTopics;

  constructor(dependencies: Dependencies, refused: RefusedTopics) {
    this.#with = dependencies;
    this.#refused = refused;
  }

  /** `rows` were sent, and `refusals` is Kafka's answer. */
  async settle(tenure: Tenure, rows: readonly RelayRow[], refusals: SendAnswer['refusals']): Promise<void> {
    const accepted = rows.filter((_, index) => !refusals.has(index));
    const refused = rows.flatMap((row, index) => {
      const code = refusals.get(index);
      return code === undefined ? [] : [{ row, topic: row.topic, code }];
    });
    const byTopic = Map.groupBy(refused, ({ topic }) => topic);
    // Also keeps the session of the lock alive, which ends after a silence.
    await this.#with.source.markSent(
      tenure.held.connection,
      accepted.map(({ id }) => id),
    );
    await this.accepted(tenure, accepted, (topic) => !byTopic.has(topic));
    for (const [topic, ofTopic] of byTopic) {
      const theirs = ofTopic.map(({ row }) => row);
      if (byTopic.size > 1) await this.#send(tenure, theirs);
      else await this.#settleTopic(tenure, topic, theirs, ofTopic);
    }
  }

  /** Kafka has these rows: forgets that their topics were refused, if all of a topic were accepted. */
  async accepted(
    { held }: Tenure,
    rows: readonly RelayRow[],
    isWhole: (topic: TopicName) => boolean = () => true,
  ): Promise<void> {
    const { source, logger, component } = this.#with;
    for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
      if (topicSpec(topic).cleanup === 'compact') {
        const keys = ofTopic.flatMap(({ key }) => key ?? []);
        await source.dropSuperseded?.(held.connection, topic, keys);
      }
      if (isWhole(topic) && this.#refused.accept(topic))
        logger.info({ component, topic }, 'Kafka takes the records of this topic again');
    }
  }

  async #settleTopic(
    tenure: Tenure,
    topic: TopicName,
    rows: readonly RelayRow[],
    answers: readonly { readonly code: KafkaCode }[],
  ): Promise<void> {
    const elsewhere = answers.find(({ code }) => causeOf(code) !== 'record');
    if (elsewhere !== undefined) return this.#refuse(topic, elsewhere.code);
    const [first] = rows;
    if (rows.length === 1) return this.#park(tenure, first!, answers[0]!.code);
    const middle = Math.ceil(rows.length / 2);
    await this.#send(tenure, rows.slice(0, middle));
    if (!this.#refused.isWaiting(topic, performance.now())) await this.#send(tenure, rows.slice(middle));
  }

  async #send(tenure: Tenure, rows: readonly RelayRow[]): Promise<void> {
    if (!tenure.held.isHeld()) throw new Error('The connection that held the lock is broken');
    const { places, refusals } = await this.#with.sender.send(rows);
    tenure.places.note(places, rows.length - refusals.size);
    await this.settle(tenure, rows, refusals);
  }

  #refuse(topic: TopicName, code: KafkaCode): void {
    if (!this.#refused.refuse(topic, code, performance.now(), Math.random())) return;
    const err = new RecordSendError(refusalText({ topic, code }));
    this.#with.logger.warn(
      { err, component: this.#with.component, topic, code },
      'Kafka refuses the records of this topic for now; they are sent again, and those of other topics pass',
    );
  }

  async #park({ held }: Tenure, { id, topic, value }: RelayRow, code: KafkaCode): Promise<void> {
    await this.#with.source.park(held.connection, id, code);
    this.#with.logger.error(
      { component: this.#with.component, topic, outboxId: id, code, bytes: value?.length },
      'Kafka does not accept this record as it is; it is parked until an operator releases it',
    );
  }
}
