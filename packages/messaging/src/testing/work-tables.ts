import type { Database } from '@gondola/service-kit/database/database';

/** Tables that stand for an app's own: what waits at lanes, and what steps have done. */
export async function createWorkTables(database: Database): Promise<void> {
  await database.query('CREATE TABLE work_open (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lane_id bigint)');
  await database.query(
    'CREATE TABLE work_done (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lane_id bigint, by text)',
  );
}
