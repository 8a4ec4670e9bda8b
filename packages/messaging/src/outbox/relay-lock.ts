import type { PoolClient } from 'pg';

import type { Database } from '@gondola/service-kit/database/database';

/** The right to send, for as long as `connection` lives. */
export interface HeldLock {
  readonly connection: PoolClient;
  /** False once the connection is known to be broken; then nothing may be sent any more. */
  isHeld(): boolean;
  release(): void;
}

/** Makes one relay the only one. */
export interface RelayLock {
  /** Null while another one has it. */
  tryAcquire(): Promise<HeldLock | null>;
}

/**
 * A holder that is frozen, or whose machine is gone without a word, loses the lock when the server has not heard of it
 * for so long. It is longer than the relay is ever silent, which is while it waits for Kafka's answer.
 */
const SILENCE_MS = 20_000;

/**
 * Settings of the relay's session. Marking as sent does not wait for the disk: if a crash of the server loses it, Kafka
 * has the record already and gets it again under the same id, as after any failure. And the
 * relay goes along indexes only: where the planner knows nothing of a table yet, it would sort all that waits for each
 * batch (30 ms with 200,000 rows, in place of 3).
 */
const SESSION = [
  `SET idle_session_timeout = ${SILENCE_MS}`,
  'SET synchronous_commit = off',
  'SET enable_seqscan = off',
  'SET enable_bitmapscan = off',
].join('; ');

/**
 * A session advisory lock, named by schema and source, on a connection of its own. When the holder dies the server sees
 * the socket close, and the lock is free within milliseconds. It requires a session of its own: a pooler in transaction
 * mode must not stand in between.
 */
export class AdvisoryRelayLock implements RelayLock {
  readonly #database: Database;
  readonly #key: string;

  constructor(database: Database, sourceName: string) {
    this.#database = database;
    this.#key = `gondola:relay:${database.schema}:${sourceName}`;
  }

  async tryAcquire(): Promise<HeldLock | null> {
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
      if (held) await connection.query(SESSION);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    if (!held) {
      connection.off('error', lose).off('end', lose);
      connection.release();
      return null;
    }
    // Destroyed, not returned: the session's end is what certainly frees the lock, whatever state it is in.
    return { connection, isHeld: () => held, release: () => connection.release(true) };
  }
}
