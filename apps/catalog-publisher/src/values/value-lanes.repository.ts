import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { placeFromText } from '@gondola/shared/catalog/value-place';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { Injectable } from '@nestjs/common';
import { stateFromText, storedText } from '../records/stored-text.ts';
import { NEW_VALUE_LANE, type ValueLaneState } from './value-lane-state.ts';

/** State of a lane to save. */
export interface ValueLaneRow {
  readonly lane: Pick<ClaimedLane, 'id' | 'tenant' | 'kind' | 'identity'>;
  readonly state: ValueLaneState;
}

/** State of a lane about a SKU or warehouse. */
export interface StoredValueLane {
  readonly laneId: string;
  /** Reference of the SKU or warehouse. */
  readonly reference: string;
  readonly state: ValueLaneState;
}

const COLUMNS: readonly Column<ValueLaneRow>[] = [
  ['lane_id', 'bigint', ({ lane }) => lane.id],
  ['tenant', 'text', ({ lane }) => lane.tenant],
  ['kind', 'text', ({ lane }) => lane.kind],
  ['external_reference', 'text', ({ lane }) => placeFromText(lane.identity).externalReference],
  ['state', 'text', ({ state }) => storedText(state)],
];
const REPLACE = `ON CONFLICT (lane_id) DO UPDATE SET state = excluded.state, tenant = excluded.tenant, kind = excluded.kind,
  external_reference = excluded.external_reference`;

/** A price or stock of a SKU. */
export interface ValueOfSku extends Pick<ValueLaneState, 'applied' | 'appliedAt'> {
  readonly laneId: string;
  readonly kind: string;
  /** Reference of the SKU. */
  readonly reference: string;
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

  /** Prices and stock of SKUs of which a record came, in no order. */
  async ofSkus(db: Queryable, tenant: string, references: readonly string[]): Promise<ValueOfSku[]> {
    const { rows } = await db.query<{ laneId: string; kind: string; reference: string; state: string }>(
      `SELECT lane_id AS "laneId", kind, external_reference AS reference, state FROM value_lanes
       WHERE tenant = $1 AND external_reference = ANY ($2::text[]) AND kind <> 'warehouse'`,
      [tenant, references],
    );
    return rows.map(({ state, ...value }) => {
      const { applied, appliedAt } = stateFromText(state, NEW_VALUE_LANE);
      return { ...value, applied, appliedAt };
    });
  }

  /** Lanes of a kind about SKUs or warehouses, in no order. */
  async named(db: Queryable, tenant: string, kind: string, references: readonly string[]): Promise<StoredValueLane[]> {
    if (references.length === 0) return [];
    const { rows } = await db.query<Omit<StoredValueLane, 'state'> & { state: string }>(
      `SELECT lane_id AS "laneId", external_reference AS reference, state FROM value_lanes
       WHERE tenant = $1 AND external_reference = ANY ($3::text[]) AND kind = $2`,
      [tenant, kind, references],
    );
    return rows.map(({ state, ...lane }) => ({ ...lane, state: stateFromText(state, NEW_VALUE_LANE) }));
  }

  async save(tx: Tx, states: readonly ValueLaneRow[]): Promise<void> {
    await insertRows(tx, 'value_lanes', COLUMNS, states, REPLACE);
  }
}
