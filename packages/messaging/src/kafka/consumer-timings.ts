import type { Backoff } from '../lanes/backoff.ts';

/** Durations of a consumer, in milliseconds. */
export interface ConsumerTimings {
  /**
   * After this time without a heartbeat the group takes the member for dead; a start after a kill -9 waits as long.
   */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /**
   * How long a rebalance waits for the batches under way, more than a handler takes; and for a member that died while
   * it was joining.
   */
  readonly rebalanceMs: number;
  /** How long the broker holds back an empty fetch; also how late a paused partition or a stop may be noticed. */
  readonly fetchWaitMs: number;
  /** Back-off of a partition that waits for the database. */
  readonly pause: Backoff;
  /** The process ends after this time without any sign of life of the consumer. */
  readonly stuckMs: number;
  /** A handler that takes longer ends the process: one transaction with time-outs cannot. */
  readonly handlerMs: number;
  /** How long `stop` waits for the batches under way before it leaves them, uncommitted. */
  readonly stopMs: number;
}

export const CONSUMER_TIMINGS: ConsumerTimings = {
  sessionMs: 10_000,
  heartbeatMs: 1_500,
  rebalanceMs: 15_000,
  fetchWaitMs: 500,
  pause: { baseMs: 250, maxMs: 15_000 },
  stuckMs: 60_000,
  handlerMs: 300_000,
  stopMs: 5_000,
};

/** Kafka's advice: a third of the session at most, so that a heartbeat may be late. */
export function sessionTimings(sessionMs: number): Pick<ConsumerTimings, 'sessionMs' | 'heartbeatMs'> {
  return { sessionMs, heartbeatMs: Math.min(CONSUMER_TIMINGS.heartbeatMs, Math.floor(sessionMs / 3)) };
}
