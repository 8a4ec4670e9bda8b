import { Inject, Injectable } from '@nestjs/common';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';

import { ConsumerLag, type GroupOffsets, lastingTransactions } from './consumer-lag.ts';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { settlesWithin } from '@gondola/service-kit/run/within';

/** A broker that is available answers within this time. */
const ANSWER_MS = 50;
/** Time before the next query while the group is behind. */
const BEHIND_MS = 500;
const AWAY_MS = 2_000;

/**
 * Position up to which the whole consumer group has stored its records, for lanes whose deadline must not expire
 * before those records are read (rule 5). If the last answer is too old, the broker is queried in the background,
 * so that no step waits for the answer; while the broker does not answer, nothing counts as stored. Times are
 * milliseconds since 1970.
 */
@Injectable()
export class ConsumedRecords {
  #asking: Promise<void> | null = null;
  #isAway = false;
  /** Time at which the last successful query began. */
  #askedAt = -Infinity;

  constructor(@Inject(ConsumerLag) private readonly lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>) {}

  /** All records written before this time are stored; null while that is not known. */
  upTo(): number | null {
    return this.lag.consumedUpTo();
  }

  /** True if all records written before `ms` are stored; if not, queries the broker for the next call. */
  hasConsumedUpTo(ms: number): boolean {
    if ((this.upTo() ?? -Infinity) >= ms) return true;
    this.ask(ms);
    return false;
  }

  /**
   * Queries the broker, one query at a time. Returns the milliseconds after which another call for `untilMs` is
   * worthwhile.
   */
  ask(untilMs = -Infinity): number {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    if (this.#isAway) return AWAY_MS;
    return this.#askedAt >= untilMs ? BEHIND_MS : ANSWER_MS;
  }

  /** Waits for a query in progress; it would otherwise reconnect the closed client. */
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
      // The next call queries again; the consumer already logs and measures that Kafka is away.
      this.#isAway = true;
    }
  }
}

const LAG_MS = 10_000;
const ADMIN_STOP_MS = 1_000;

/**
 * Measures the group's lag at intervals, and logs transactions that hide records and stay open. Stops after
 * the lane workers, which use the result.
 */
@Injectable()
export class LagWatch implements Startable {
  readonly name = 'consumer lag';
  readonly #task: RepeatingTask;
  #open: readonly GroupOffsets[] = [];
  #named: readonly GroupOffsets[] = [];

  constructor(
    private readonly lag: ConsumerLag,
    private readonly consumed: ConsumedRecords,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#task = new RepeatingTask({ name: this.name, everyMs: LAG_MS, run: () => this.measure(), logger });
  }

  /** One measurement. Each transaction that lasts is logged once. */
  async measure(): Promise<void> {
    await this.lag.check();
    const open = this.lag.openTransactions();
    const lasting = lastingTransactions(this.#open, open);
    const known = lastingTransactions(this.#named, lasting);
    for (const each of lasting.filter((one) => !known.includes(one))) {
      const { topic, partition, readable, end } = each;
      this.logger.warn(
        { topic, partition, offset: String(readable), count: Number(end - readable) },
        'Records wait behind a transaction that their producer has not ended: nobody can read them before it ends',
      );
    }
    this.#open = open;
    this.#named = lasting;
  }

  async start(): Promise<void> {
    await this.#task.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#task.stop(), settlesWithin(ADMIN_STOP_MS, this.consumed.stop())]);
    await settlesWithin(ADMIN_STOP_MS, this.lag.close());
  }
}
