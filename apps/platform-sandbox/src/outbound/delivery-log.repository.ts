import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable.ts';

/** One attempt that has ended. `answer` is the HTTP status, null when none came. */
export interface LoggedAttempt {
  readonly seq: number;
  readonly at: Date;
  readonly attempt: number;
  readonly eventType: string;
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly answer: number | null;
  readonly body: Buffer;
}

/** A notification whose three attempts failed. */
export interface DeadLetter {
  readonly at: Date;
  readonly eventType: string;
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly attempts: number;
  readonly body: Buffer;
}

/** What the webhook sender did, for the admin API. */
@Injectable()
export class DeliveryLogRepository {
  /** In the order in which attempts ended; a number once seen is never followed by a smaller one. */
  async attemptsAfter(db: Queryable, seq: number, limit: number): Promise<LoggedAttempt[]> {
    const { rows } = await db.query<LoggedAttempt>(
      `SELECT a.seq::float8 AS seq, a.at, a.attempt, a.answer, d.event_type AS "eventType", d.operation_id AS "operationId",
              d.contract_account_id AS "contractAccountId", d.body
       FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE a.seq > $1 ORDER BY a.seq LIMIT $2`,
      [seq, limit],
    );
    return rows;
  }

  async deadLetters(db: Queryable, limit: number): Promise<DeadLetter[]> {
    const { rows } = await db.query<DeadLetter>(
      `SELECT ended_at AS at, event_type AS "eventType", operation_id AS "operationId",
              contract_account_id AS "contractAccountId", attempts, body
       FROM deliveries WHERE state = 'dead' ORDER BY id LIMIT $1`,
      [limit],
    );
    return rows;
  }
}
