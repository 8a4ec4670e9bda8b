import type { PoolClient } from 'pg';

import type { WireRecord } from '../codec/record-codec.ts';
import type { Queryable } from '../store/queryable.ts';

/** A record that waits to be sent. */
export interface RelayRow extends WireRecord {
  readonly id: string;
}

export interface RelayLimit {
  readonly records: number;
  /** Of keys, values and headers together; one record that is larger comes alone. */
  readonly bytes: number;
}

export interface RelayStep {
  readonly limit: RelayLimit;
  /** Ids of rows that Kafka has taken and that are not marked yet. */
  readonly acked: readonly string[];
  /** Ids of rows that are being sent. */
  readonly underWay: readonly string[];
}

export interface RelayBacklog {
  readonly records: number;
  readonly parked: number;
  /** Age of the oldest record that waits, null if none does. */
  readonly oldestMs: number | null;
}

/**
 * Where a relay takes its records from: a table whose rows were written in the transaction of their fact. All calls
 * but `backlog` use the connection that holds the relay's lock, so nothing is marked by who has lost it.
 */
export interface RelaySource {
  /**
   * One word, for the lock, the log and the metrics: `outbox`. Equal for those that must not be active together in a
   * schema.
   */
  readonly name: string;
  /**
   * Marks what is acknowledged, and answers the first rows that are neither sent nor parked nor under way, in the order
   * in which they must leave; never "those after the last one", since a transaction may commit after one with later
   * numbers. Both in one round trip.
   */
  advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]>;
  markSent(connection: PoolClient, ids: readonly string[]): Promise<void>;
  /**
   * Sets a record aside that the broker will never take; `reason` is a code of Kafka's. It stays until an operator
   * decides.
   */
  park(connection: PoolClient, id: string, reason: string): Promise<void>;
  backlog(db: Queryable): Promise<RelayBacklog>;
}
