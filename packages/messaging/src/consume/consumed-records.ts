import { Inject, Injectable } from '@nestjs/common';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';

import { ConsumerLag } from '../kafka/consumer-lag.ts';
import { RepeatingTask } from '../repeating-task.ts';
import { settlesWithin } from '../within.ts';

/** A broker that answers has done so by then. */
const ANSWER_MS = 50;
/** A group that is behind takes a while to catch up. */
const BEHIND_MS = 500;
const AWAY_MS = 2_000;

/**
 * How far the whole consumer group has consumed, for lanes whose deadline must not expire before (rule 5). The broker
 * is asked in the background where the last answer is too old, so that a lane waits for it without holding a step;
 * while the broker does not answer, nothing counts as taken in. Times are milliseconds since 1970.
 */
@Injectable()
export class ConsumedRecords {
  #asking: Promise<void> | null = null;
  #isAway = false;
  /** When the last question that was answered was asked. */
  #askedAt = -Infinity;

  constructor(@Inject(ConsumerLag) private readonly lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>) {}

  /** All that was written before this time is taken in; null while that is not known. */
  upTo(): number | null {
    return this.lag.consumedUpTo();
  }

  /** Whether all that was written before `ms` is taken in; if not, the broker is asked, for the next time. */
  hasConsumedUpTo(ms: number): boolean {
    if ((this.upTo() ?? -Infinity) >= ms) return true;
    this.ask(ms);
    return false;
  }

  /**
   * Asks the broker, one question at a time; returns after how many milliseconds it is worth looking again for
   * `untilMs`.
   */
  ask(untilMs = -Infinity): number {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    if (this.#isAway) return AWAY_MS;
    return this.#askedAt >= untilMs ? BEHIND_MS : ANSWER_MS;
  }

  /** Waits for a question that is under way, which would connect again what is closed meanwhile. */
  async stop(): Promise<void> {
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const at = Date.now();
    try {
      await this.lag.check();
      this.#isAway = false;
      this.#askedAt = at;
    } catch {
      // Asked again at the next look; that Kafka is away is logged and measured where it is consumed.
      this.#isAway = true;
    }
  }
}

const LAG_MS = 10_000;
const ADMIN_STOP_MS = 1_000;

/** Measures the group's lag again and again. Stopped after the lane workers, which ask how far the group is. */
@Injectable()
export class LagWatch implements Startable {
  readonly name = 'consumer lag';
  readonly #task: RepeatingTask;

  constructor(
    private readonly lag: ConsumerLag,
    private readonly consumed: ConsumedRecords,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#task = new RepeatingTask({ name: this.name, everyMs: LAG_MS, run: () => lag.check(), logger });
  }

  async start(): Promise<void> {
    await this.#task.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#task.stop(), settlesWithin(ADMIN_STOP_MS, this.consumed.stop())]);
    await settlesWithin(ADMIN_STOP_MS, this.lag.close());
  }
}
