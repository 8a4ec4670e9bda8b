import type { Backoff } from '@gondola/shared/backoff';

/** Durations of a consumer, in milliseconds. */
export interface ConsumerTimings {
  /**
   * Time without a heartbeat after which the group considers the member dead; a start after a kill -9 waits this
   * long.
   */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /**
   * Time that a rebalance waits for open batches, which is more than a handler takes, and for a member that died
   * while it was joining.
   */
  readonly rebalanceMs: number;
  /**
   * Time for which the broker holds back an empty fetch; also the delay with which a paused partition or a stop may
   * be noticed.
   */
  readonly fetchWaitMs: number;
  /** Back-off of a partition that waits for the database. */
  readonly pause: Backoff;
  /** The process exits after this time without a sign of life of the consumer. */
  readonly stuckMs: number;
  /** The process exits if a handler takes longer; a transaction with time-outs cannot take this long. */
  readonly handlerMs: number;
  /** Time for which `stop` waits for open batches before it abandons them, uncommitted. */
  readonly stopMs: number;
}

export const CONSUMER_TIMINGS: ConsumerTimings = {
  sessionMs: 10_000,
  heartbeatMs: 1_500,
  rebalanceMs: 15_000,
  fetchWaitMs: 1_000,
  pause: { baseMs: 250, maxMs: 15_000 },
  stuckMs: 60_000,
  handlerMs: 300_000,
  stopMs: 5_000,
};

/** Kafka recommends a heartbeat interval of at most a third of the session, so that one heartbeat may be late. */
export function sessionTimings(sessionMs: number): Pick<ConsumerTimings, 'sessionMs' | 'heartbeatMs'> {
  return { sessionMs, heartbeatMs: Math.min(CONSUMER_TIMINGS.heartbeatMs, Math.floor(sessionMs / 3)) };
}
