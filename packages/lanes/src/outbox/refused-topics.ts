import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import type { TopicName } from '@gondola/shared/topics/topics';

import { causeOf, type KafkaCode, REMEDY } from '@gondola/kafka/client/kafka-codes';

/** A topic of which Kafka takes no records now, for a reason of time, place or rights. */
export interface RefusedTopic {
  readonly topic: TopicName;
  readonly code: KafkaCode;
  /** When it was refused first, and when it is tried again, in milliseconds of a clock that never jumps. */
  readonly since: number;
  readonly until: number;
  /** Refusals in a row. */
  readonly refusals: number;
}

const BACKOFF: Backoff = { baseMs: 200, maxMs: 5_000 };

/**
 * Topics whose records a relay leaves alone for a while, so that those of the other topics pass (guarantee 5):
 *
 *   sent ──a code of time, place or rights──▶ refused, 200 ms to 5 s ──▶ sent again ──accepted──▶ forgotten
 *                                                 ▲─────── refused ────────┘
 *
 * Records of one entity on one topic stay in their order: a refused topic has none of its records sent.
 */
export class RefusedTopics {
  readonly #topics = new Map<TopicName, RefusedTopic>();

  /** True if the code is new for this topic, so that somebody should be told. */
  refuse(topic: TopicName, code: KafkaCode, now: number, random: number): boolean {
    const known = this.#topics.get(topic);
    const refusals = (known?.refusals ?? 0) + 1;
    const until = now + backoffMs(BACKOFF, refusals, random);
    this.#topics.set(topic, { topic, code, since: known?.since ?? now, until, refusals });
    return known?.code !== code;
  }

  /** True if the topic was refused before. */
  accept(topic: TopicName): boolean {
    return this.#topics.delete(topic);
  }

  clear(): void {
    this.#topics.clear();
  }

  isWaiting(topic: TopicName, now: number): boolean {
    return (this.#topics.get(topic)?.until ?? now) > now;
  }

  /** Topics that are not tried again yet. */
  waiting(now: number): TopicName[] {
    return this.all.filter(({ until }) => until > now).map(({ topic }) => topic);
  }

  /** Time until the first of them is tried again; null without one. */
  msUntilNext(now: number): number | null {
    const times = this.all.map(({ until }) => Math.max(until - now, 0));
    return times.length === 0 ? null : Math.min(...times);
  }

  get all(): RefusedTopic[] {
    return [...this.#topics.values()];
  }

  /**
   * True if some are refused, and all for the time of the records: the clock of this process may be the one that is
   * off, and the relay of another replica may have its records accepted.
   */
  get mayPassElsewhere(): boolean {
    return this.#topics.size > 0 && this.all.every(({ code }) => causeOf(code) === 'clock');
  }
}

/** Sentence about a refused topic, for operators. */
export function refusalText({ topic, code }: Pick<RefusedTopic, 'topic' | 'code'>): string {
  return `Kafka refuses the records of the topic ${topic} for now: ${code}; ${REMEDY[causeOf(code)]}`;
}
