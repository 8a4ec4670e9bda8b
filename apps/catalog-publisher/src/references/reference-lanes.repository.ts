import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { stateFromText, storedText } from '../records/stored-text.ts';
import { NEW_REFERENCE_LANE, type ReferenceLaneState } from './reference-lane-state.ts';

interface ReferenceLaneRow {
  readonly laneId: string;
  readonly state: ReferenceLaneState;
}

const COLUMNS: readonly Column<ReferenceLaneRow>[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['state', 'text', ({ state }) => storedText(state)],
];
const REPLACE = 'ON CONFLICT (lane_id) DO UPDATE SET state = excluded.state';

/** The table `reference_lanes`: state of brands' and categories' lanes. */
@Injectable()
export class ReferenceLanesRepository {
  /** Returns an entry for every lane. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, ReferenceLaneState>> {
    const { rows } = await db.query<{ laneId: string; state: string }>(
      'SELECT lane_id AS "laneId", state FROM reference_lanes WHERE lane_id = ANY ($1::bigint[])',
      [laneIds],
    );
    const found = new Map(rows.map(({ laneId, state }) => [laneId, stateFromText(state, NEW_REFERENCE_LANE)]));
    return new Map(laneIds.map((id) => [id, found.get(id) ?? NEW_REFERENCE_LANE]));
  }

  async save(tx: Tx, rows: readonly ReferenceLaneRow[]): Promise<void> {
    await insertRows(tx, 'reference_lanes', COLUMNS, rows, REPLACE);
  }
}
