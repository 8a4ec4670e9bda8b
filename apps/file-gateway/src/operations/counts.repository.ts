import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { FileCounts } from './files.dto.ts';

/** Rows of the app's own tables. */
type TableCounts = Omit<FileCounts, 'openCommands'>;

/** $1 tenant, null for all. */
const COUNTS = `
  SELECT
    (SELECT COALESCE(json_agg(json_build_object('tenant', tenant, 'state', state, 'uploads', n, 'bytes', bytes, 'held', held)
        ORDER BY tenant, state), '[]')
      FROM (SELECT tenant, state, count(*)::float8 AS n, COALESCE(sum(size), 0)::float8 AS bytes,
          count(*) FILTER (WHERE uses > 0)::float8 AS held
        FROM uploads WHERE $1::text IS NULL OR tenant = $1 GROUP BY tenant, state) AS u) AS uploads,
    (SELECT count(*)::float8 FROM skus WHERE $1::text IS NULL OR tenant = $1) AS skus,
    (SELECT count(*)::float8 FROM order_ids WHERE $1::text IS NULL OR tenant = $1) AS orders`;

/** Counts the rows of the app's own tables, on each request, for operators. */
@Injectable()
export class CountsRepository {
  constructor(private readonly database: Database) {}

  async counts(tenant: string | null): Promise<TableCounts> {
    const { rows } = await this.database.query<TableCounts & { [column: string]: unknown }>(COUNTS, [tenant]);
    return rows[0]!;
  }
}
