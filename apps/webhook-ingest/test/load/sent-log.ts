import type { TopicName } from '@gondola/shared/topics/topics';
import type { PlannedNotification } from './planned-notifications.ts';
import type { SentNotification } from './published-as-sent.ts';

/** Status of an answer, or that there was none. */
export type Outcome = number | 'no-answer';

/** Notifications of all senders and their answers. */
export class SentLog {
  readonly #fullName: (topic: TopicName) => string;
  readonly #sent = new Map<string, SentNotification>();
  readonly outcomes = new Map<Outcome, number>();
  /** Notifications that their sender has finished, answered or given up. */
  done = 0;
  /** For which senders wait before their next notification. */
  resting: Promise<unknown> = Promise.resolve();

  constructor(fullName: (topic: TopicName) => string) {
    this.#fullName = fullName;
  }

  /** Has all senders rest until `end`. */
  async rest(end: Promise<unknown>): Promise<void> {
    this.resting = end;
    await end;
  }

  answered(outcome: Outcome): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  /** @param series null if the sender did not preserve its order */
  finished(notification: PlannedNotification, isAnswered: boolean, series: string | null): void {
    const { operationId, hash, topic, place } = notification;
    const fullTopic = topic === null ? null : this.#fullName(topic);
    this.#sent.set(hash, { operationId, hash, topic: fullTopic, isAnswered, series, place });
    this.done += 1;
  }

  /** Number of deliveries answered with another status than 200; the app must store every delivery. */
  refused(): number {
    const others = [...this.outcomes].filter(([outcome]) => outcome !== 200 && outcome !== 'no-answer');
    return others.reduce((sum, [, count]) => sum + count, 0);
  }

  notifications(): SentNotification[] {
    return [...this.#sent.values()];
  }
}
