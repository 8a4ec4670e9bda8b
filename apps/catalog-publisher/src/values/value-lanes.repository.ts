import { multiRow } from '@gondola/messaging/store/multi-row';
import type { Queryable } from '@gondola/messaging/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { placeFromText } from '@gondola/shared/catalog/value-record';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import { Injectable } from '@nestjs/common';
import { stateFromText, storedText } from '../records/stored-text.ts';
import { NEW_VALUE_LANE, type ValueLaneState } from './value-lane-state.ts';

const TYPES = ['bigint', 'text', 'text', 'text', 'text'] as const;

/** State of a lane to save. */
export interface ValueLaneRow {
  readonly lane: Pick<ClaimedLane, 'id' | 'tenant' | 'kind' | 'identity'>;
  readonly state: ValueLaneState;
}

/** The table of prices', warehouses' and stock's lane states. */
@Injectable()
export class ValueLanesRepository {
  /** Returns an entry for every lane. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, ValueLaneState>> {
    const { rows } = await db.query<{ laneId: string; state: string }>(
      'SELECT lane_id AS "laneId", state FROM value_lanes WHERE lane_id = ANY ($1::bigint[])',
      [laneIds],
    );
    const found = new Map(rows.map(({ laneId, state }) => [laneId, stateFromText(state, NEW_VALUE_LANE)]));
    return new Map(laneIds.map((id) => [id, found.get(id) ?? NEW_VALUE_LANE]));
  }

  /** `<kind>/<reference>` of prices and stock that the platform has. */
  async ofSkus(db: Queryable, tenant: string, references: readonly string[]): Promise<Set<string>> {
    const { rows } = await db.query<{ kind: string; reference: string; state: string }>(
      `SELECT kind, external_reference AS reference, state FROM value_lanes
       WHERE tenant = $1 AND external_reference = ANY ($2::text[])`,
      [tenant, references],
    );
    const applied = rows.filter(({ state }) => stateFromText(state, NEW_VALUE_LANE).applied !== null);
    return new Set(applied.map(({ kind, reference }) => `${kind}/${reference}`));
  }

  async save(tx: Tx, states: readonly ValueLaneRow[]): Promise<void> {
    for (const { tuples, values } of multiRow(states, TYPES, stateRow)) {
      await tx.query(
        `INSERT INTO value_lanes (lane_id, tenant, kind, external_reference, state) VALUES ${tuples}
         ON CONFLICT (lane_id) DO UPDATE SET state = excluded.state, tenant = excluded.tenant, kind = excluded.kind,
           external_reference = excluded.external_reference`,
        values,
      );
    }
  }
}

function stateRow({ lane, state }: ValueLaneRow): readonly unknown[] {
  const { externalReference } = placeFromText(lane.identity);
  return [lane.id, lane.tenant, lane.kind, externalReference, storedText(state)];
}
