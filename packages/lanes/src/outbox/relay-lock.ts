import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';

import type { Database } from '@gondola/service-kit/database/database';

/** The right to send, valid while `connection` lives. */
export interface HeldLock {
  readonly connection: PoolClient;
  /** False once the connection is known to be broken; then no record may be sent any more. */
  isHeld(): boolean;
  release(): void;
}

/** @throws Error if the connection is known to be broken: nothing may be sent any more. */
export function assertHeld(held: HeldLock): void {
  if (!held.isHeld()) throw new Error('The connection that held the lock is broken');
}

/** Ensures that one relay alone is active. */
export interface RelayLock {
  /** Null while another relay has the lock. `onTold` runs at each `tell` of any process while the lock is held. */
  tryAcquire(onTold: () => void): Promise<HeldLock | null>;
  /** Tells the holder, in whichever process, that records wait. May be lost. */
  tell(): Promise<void>;
}

/**
 * A holder that is frozen, or whose machine disappeared, loses the lock when the server has not heard from it for
 * this long. This is longer than the longest silence of a healthy relay, which is its wait for Kafka's answer.
 */
const SILENCE_MS = 20_000;

/**
 * Settings of the relay's session. Marking rows as sent does not wait for the disk: if a crash of the server loses
 * the mark, Kafka receives the record again with the same id, as after any failure. The relay uses index scans
 * only: without statistics of the table the planner would sort all waiting rows for each batch (30 ms with 200,000
 * rows, instead of 3).
 */
const SESSION = [
  `SET idle_session_timeout = ${SILENCE_MS}`,
  'SET synchronous_commit = off',
  'SET enable_seqscan = off',
  'SET enable_bitmapscan = off',
].join('; ');

/**
 * A session advisory lock, named by schema and source, on its own connection. When the holder dies, the server sees
 * the socket close and frees the lock within milliseconds. It requires a direct session: a pooler in transaction
 * mode must not be in between.
 */
export class AdvisoryRelayLock implements RelayLock {
  readonly #database: Database;
  readonly #key: string;
  /** Channel of PostgreSQL's NOTIFY; names of channels have 63 bytes at most. */
  readonly #channel: string;

  constructor(database: Database, sourceName: string) {
    this.#database = database;
    this.#key = `gondola:relay:${database.schema}:${sourceName}`;
    this.#channel = `gondola_relay_${createHash('sha256').update(this.#key).digest('hex').slice(0, 32)}`;
  }

  async tell(): Promise<void> {
    await this.#database.query('SELECT pg_notify($1, $2)', [this.#channel, '']);
  }

  async tryAcquire(onTold: () => void): Promise<HeldLock | null> {
    const connection = await this.#database.connection();
    let held = false;
    const lose = (): void => {
      held = false;
    };
    connection.once('error', lose).once('end', lose);
    try {
      const lock = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held';
      const { rows } = await connection.query<{ held: boolean }>(lock, [this.#key]);
      held = rows[0]?.held === true;
      if (held) await connection.on('notification', onTold).query(`${SESSION}; LISTEN ${this.#channel}`);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    if (!held) {
      connection.off('error', lose).off('end', lose);
      connection.release();
      return null;
    }
    // Destroys the connection instead of returning it to the pool: only the end of the session is certain to free
    // the lock.
    return { connection, isHeld: () => held, release: () => connection.release(true) };
  }
}
