import type { Database } from '@gondola/service-kit/database/database';

const LANES_AT_ONCE = 1_000;

/** Tables whose rows belong to lanes: those of this package and of the app with a column `lane_id`. */
const TABLES = `
  SELECT table_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND column_name = 'lane_id' ORDER BY 1`;

/** $1 ids. Whoever wakes one of these lanes waits until `tx` ends, and then creates it again. */
const LOCK = `
  SELECT id FROM lanes WHERE id = ANY ($1::bigint[]) AND ready_at IS NULL
  ORDER BY tenant, kind, identity FOR UPDATE SKIP LOCKED`;

/**
 * Deletes sleeping lanes to which no row belongs: those of an entity of which nothing is stored any more. A lane that
 * comes back has another id, under which nothing is missed. Tested in unused-lanes.int.spec.ts.
 */
export async function deleteUnusedLanes(database: Pick<Database, 'query' | 'transaction'>): Promise<void> {
  const { rows: tables } = await database.query<{ name: string }>(TABLES);
  const isUnused = tables
    .map(({ name }) => `NOT EXISTS (SELECT 1 FROM ${name} AS used WHERE used.lane_id = lane.id)`)
    .join(' AND ');
  const page = `
    WITH page AS MATERIALIZED (SELECT id, ready_at FROM lanes WHERE id > $1 ORDER BY id LIMIT ${LANES_AT_ONCE})
    SELECT (SELECT max(id) FROM page) AS last,
      ARRAY(SELECT lane.id::text FROM page AS lane WHERE ready_at IS NULL AND ${isUnused}) AS unused`;
  for (let after = '0'; ;) {
    const { rows } = await database.query<{ last: string | null; unused: string[] }>(page, [after]);
    const { last, unused } = rows[0]!;
    if (last === null) return;
    if (unused.length > 0) {
      await database.transaction(async (tx) => {
        const { rows: locked } = await tx.query<{ id: string }>(LOCK, [unused]);
        // A statement of its own sees the rows of steps that ended before the lock.
        await tx.query(`DELETE FROM lanes AS lane WHERE id = ANY ($1::bigint[]) AND ${isUnused}`, [
          locked.map(({ id }) => id),
        ]);
      });
    }
    after = last;
  }
}
