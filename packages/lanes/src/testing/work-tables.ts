import type { Database } from '@gondola/service-kit/database/database';

/** Tables that represent an app's own: work waiting at lanes, and work done by steps. */
export async function createWorkTables(database: Database): Promise<void> {
  await database.query('CREATE TABLE work_open (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lane_id bigint)');
  await database.query(
    'CREATE TABLE work_done (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lane_id bigint, by text)',
  );
}
