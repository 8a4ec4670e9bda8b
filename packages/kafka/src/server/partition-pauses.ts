import type { TopicName } from '@gondola/shared/topics/topics';

import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import type { MessagingMetrics } from '../metrics/messaging-metrics.ts';

interface Pause {
  readonly topic: TopicName;
  readonly partition: number;
  readonly failures: number;
  readonly timer: NodeJS.Timeout;
  readonly resume: () => void;
}

/**
 * Partitions that wait for the database, each with its own back-off:
 *
 *   reading ──batch failed──▶ paused ──timer──▶ trying ──batch stored──▶ reading
 *                               ▲                  │
 *                               └───batch failed───┘ (a longer wait)
 */
export class PartitionPauses {
  readonly #backoff: Backoff;
  readonly #metrics: MessagingMetrics;
  readonly #pauses = new Map<string, Pause>();
  #stopped = false;

  constructor(backoff: Backoff, metrics: MessagingMetrics) {
    this.#backoff = backoff;
    this.#metrics = metrics;
  }

  /** Calls `pause`, whose result resumes the partition. Returns the milliseconds until then. */
  pause(topic: TopicName, partition: number, pause: () => () => void): number {
    const key = keyOf(topic, partition);
    const earlier = this.#pauses.get(key);
    clearTimeout(earlier?.timer);
    const failures = (earlier?.failures ?? 0) + 1;
    const waitMs = backoffMs(this.#backoff, failures, Math.random());
    const resume = pause();
    const timer = setTimeout(resume, waitMs);
    if (this.#stopped) clearTimeout(timer);
    this.#pauses.set(key, { topic, partition, failures, timer, resume });
    this.#metrics.paused(topic, partition, true);
    return waitMs;
  }

  /** To be called when a batch of the partition was stored. */
  recovered(topic: TopicName, partition: number): void {
    if (this.#pauses.delete(keyOf(topic, partition))) this.#metrics.paused(topic, partition, false);
  }

  /** Forgets partitions that are now assigned to another member, so that they are not paused when they return. */
  keepOnly(isAssigned: (topic: TopicName, partition: number) => boolean): void {
    for (const { topic, partition, timer, resume } of this.#pauses.values()) {
      if (isAssigned(topic, partition)) continue;
      clearTimeout(timer);
      resume();
      this.recovered(topic, partition);
    }
  }

  /** Stops all timers; no partition resumes afterwards. */
  stop(): void {
    this.#stopped = true;
    for (const { timer } of this.#pauses.values()) clearTimeout(timer);
  }
}

function keyOf(topic: TopicName, partition: number): string {
  return `${topic}/${partition}`;
}
