import type { LaneKey } from '@gondola/messaging/lanes/lanes';
import type { Queryable } from '@gondola/messaging/store/queryable';

/** Open records of one kind of entity of one tenant. */
export interface CatalogCounts {
  readonly tenant: string;
  readonly kind: string;
  readonly open: number;
  /** Of these, those that were sent and have no outcome yet. */
  readonly sent: number;
  /** Entities of which a record waits for references. */
  readonly waiting: number;
}

export async function laneIdOf(db: Queryable, { tenant, kind, identity }: LaneKey): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM lanes WHERE tenant = $1 AND kind = $2 AND identity = $3',
    [tenant, kind, identity],
  );
  return rows[0]?.id ?? null;
}

export async function openCounts(db: Queryable): Promise<CatalogCounts[]> {
  const { rows } = await db.query<CatalogCounts & { [column: string]: unknown }>(
    `SELECT l.tenant, l.kind, count(*)::float8 AS open, count(c.first_sent_at)::float8 AS sent,
       (SELECT count(DISTINCT lane_id)::float8 FROM reference_waits AS w
        WHERE w.tenant = l.tenant AND w.waiting_kind = l.kind) AS waiting
     FROM commands AS c JOIN lanes AS l ON l.id = c.lane_id WHERE c.state = 'open'
     GROUP BY l.tenant, l.kind ORDER BY l.tenant, l.kind`,
  );
  return rows.map(({ tenant, kind, open, sent, waiting }) => ({ tenant, kind, open, sent, waiting }));
}
