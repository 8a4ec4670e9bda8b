import type { Database } from '@gondola/service-kit/database/database';
import type { FileCounts, LaneStore, ShownLaneState } from '../application/file-stores.ts';
import type { LaneKind } from '../domain/read-file-command.ts';

const COUNTS = `
  SELECT
    (SELECT COALESCE(json_agg(json_build_object('tenant', tenant, 'state', state, 'uploads', n, 'bytes', bytes, 'held', held)
        ORDER BY tenant, state), '[]')
      FROM (SELECT tenant, state, count(*)::float8 AS n, COALESCE(sum(size), 0)::float8 AS bytes,
          count(*) FILTER (WHERE uses > 0)::float8 AS held
        FROM uploads GROUP BY tenant, state) AS u) AS uploads,
    (SELECT COALESCE(json_agg(json_build_object('tenant', tenant, 'command', command, 'open', n) ORDER BY tenant, command), '[]')
      FROM (SELECT tenant, command, count(*)::float8 AS n FROM commands WHERE state = 'open' GROUP BY tenant, command) AS c)
      AS "openCommands",
    (SELECT count(*)::float8 FROM skus) AS skus,
    (SELECT count(*)::float8 FROM order_ids) AS orders`;

interface LaneRow {
  id: string;
  due_at: Date | null;
  lease_until: Date | null;
  failures: number;
}

/** What is seen of lanes and tables from outside. */
export class LanesRepository implements LaneStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(
    tenant: string,
    kind: LaneKind,
    identity: string,
  ): Promise<(ShownLaneState & { readonly id: string }) | null> {
    const text =
      'SELECT id, due_at, lease_until, failures FROM lanes WHERE tenant = $1 AND kind = $2 AND identity = $3';
    const { rows } = await this.#database.query<LaneRow>(text, [tenant, kind, identity]);
    const [row] = rows;
    if (row === undefined) return null;
    const { id, due_at: dueAt, lease_until: leaseUntil, failures } = row;
    return { id, dueAt: dueAt?.toISOString() ?? null, leaseUntil: leaseUntil?.toISOString() ?? null, failures };
  }

  async counts(): Promise<FileCounts> {
    const { rows } = await this.#database.query<FileCounts & { [column: string]: unknown }>(COUNTS);
    return rows[0]!;
  }
}
