import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';

/** An accepted call, with the number of its items by state: waiting, applied, silent (a fault) or crashed. */
export interface LoggedOperation {
  readonly seq: number;
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly kind: string;
  readonly acceptedAt: Date;
  /** Null while an item waits. */
  readonly endedAt: Date | null;
  readonly waiting: number;
  readonly taken: number;
  readonly silent: number;
  readonly crashed: number;
  /** Number of refusals; a product with two invalid SKUs has two. */
  readonly rejected: number;
}

const OPERATION = `
  SELECT min(seq)::float8 AS seq, operation_id AS "operationId", min(contract_account_id) AS "contractAccountId",
         (array_agg(kind ORDER BY seq))[1] AS kind, min(accepted_at) AS "acceptedAt",
         CASE WHEN bool_and(state <> 'waiting') THEN max(ended_at) END AS "endedAt",
         (count(*) FILTER (WHERE state = 'waiting'))::int AS waiting, (count(*) FILTER (WHERE state = 'applied'))::int AS taken,
         (count(*) FILTER (WHERE state = 'silent'))::int AS silent, (count(*) FILTER (WHERE state = 'crashed'))::int AS crashed,
         (SELECT count(*)::int FROM rejections r WHERE r.operation_id = o.operation_id) AS rejected
  FROM operations o`;

/** State of accepted calls, for the admin API. */
@Injectable()
export class OperationLogRepository {
  constructor(private readonly database: Database) {}

  /** Sorted by `seq`, which is that of an operation's first item. */
  async after(seq: number, limit: number): Promise<LoggedOperation[]> {
    const { rows } = await this.database.query<LoggedOperation>(
      `${OPERATION} GROUP BY operation_id HAVING min(seq) > $1 ORDER BY min(seq) LIMIT $2`,
      [seq, limit],
    );
    return rows;
  }

  async find(operationId: string): Promise<LoggedOperation | undefined> {
    const { rows } = await this.database.query<LoggedOperation>(
      `${OPERATION} WHERE operation_id = $1 GROUP BY operation_id`,
      [operationId],
    );
    return rows[0];
  }
}
