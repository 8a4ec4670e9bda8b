import { multiRow } from '@gondola/messaging/store/multi-row';
import type { Queryable } from '@gondola/messaging/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { NEW_VALUE_LANE, type ValueLaneState } from './value-lane-state.ts';

const TYPES = ['bigint', 'text'] as const;

/** What is known of prices, warehouses and stock, by lane. */
@Injectable()
export class ValueLanesRepository {
  /** Every lane asked for has an entry. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, ValueLaneState>> {
    const { rows } = await db.query<{ lane_id: string; state: string }>(
      'SELECT lane_id, state FROM value_lanes WHERE lane_id = ANY ($1::bigint[])',
      [laneIds],
    );
    const found = new Map(rows.map(({ lane_id, state }) => [lane_id, stateFromText(state)]));
    return new Map(laneIds.map((id) => [id, found.get(id) ?? NEW_VALUE_LANE]));
  }

  async save(tx: Tx, states: readonly { laneId: string; state: ValueLaneState }[]): Promise<void> {
    for (const { tuples, values } of multiRow(states, TYPES, stateRow)) {
      await tx.query(
        `INSERT INTO value_lanes (lane_id, state) VALUES ${tuples} ON CONFLICT (lane_id) DO UPDATE SET state = excluded.state`,
        values,
      );
    }
  }
}

function stateRow({ laneId, state }: { laneId: string; state: ValueLaneState }): readonly unknown[] {
  return [laneId, stringifyWithDigits(state as unknown as JsonRecord)];
}

function stateFromText(text: string): ValueLaneState {
  const value = parseWithDigits(text);
  if (!isPlainRecord(value)) throw new Error('A stored lane has another form');
  return { ...NEW_VALUE_LANE, ...(value as unknown as ValueLaneState) };
}
