import type { PoolClient } from 'pg';

import type { TopicName } from '@gondola/shared/topics/topics';

import type { WireRecord } from '@gondola/kafka/records/record-codec';
import type { Queryable } from '../store/queryable.ts';

/** A record that waits to be sent. */
export interface RelayRow extends WireRecord {
  readonly id: string;
}

export interface RelayLimit {
  readonly records: number;
  /** Size of key, value and headers together; a record above the limit is returned alone. */
  readonly bytes: number;
}

export interface RelayStep {
  readonly limit: RelayLimit;
  /** Ids of rows that Kafka has acknowledged and that are not marked yet. */
  readonly acked: readonly string[];
  /** Ids of rows that are being sent. */
  readonly underWay: readonly string[];
  /** Topics whose rows are left out. */
  readonly without?: readonly TopicName[];
}

export interface RelayBacklog {
  readonly records: number;
  readonly parked: number;
  /** Age of the oldest waiting record; null if none waits. */
  readonly oldestMs: number | null;
}

/**
 * Source of a relay's records: a table whose rows were written in the transaction of their fact. All methods except
 * `backlog` use the connection that holds the relay's lock, so a relay that lost the lock cannot mark rows.
 */
export interface RelaySource {
  /**
   * One word for the lock, the log and the metrics, such as `outbox`. Sources with the same name in one schema are
   * never active together.
   */
  readonly name: string;
  /**
   * Marks acknowledged rows and returns the first rows that are neither sent, parked nor being sent, in the order
   * in which they must be sent. It never selects "rows after the last one", since a transaction may commit after
   * another with higher numbers. Both happen in one round trip.
   */
  advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]>;
  /** Topics of the first `rows` rows that `advance` may return. */
  waitingTopics(connection: PoolClient, rows: number): Promise<TopicName[]>;
  markSent(connection: PoolClient, ids: readonly string[]): Promise<void>;
  /**
   * Parks a record that the broker does not accept as it is; `reason` is Kafka's error code. The record stays until an
   * operator releases it.
   */
  park(connection: PoolClient, id: string, reason: string): Promise<void>;
  /**
   * Deletes parked records of a compacted topic whose keys have a later record in Kafka: released, they would undo it.
   * Absent where no topic is compacted.
   */
  dropSuperseded?(connection: PoolClient, topic: TopicName, keys: readonly Buffer[]): Promise<void>;
  backlog(db: Queryable): Promise<RelayBacklog>;
}
