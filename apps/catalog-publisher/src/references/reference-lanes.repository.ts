import { multiRow } from '@gondola/messaging/store/multi-row';
import type { Queryable } from '@gondola/messaging/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { NEW_REFERENCE_LANE, type ReferenceLaneState } from './reference-lane-state.ts';

const TYPES = ['bigint', 'text'] as const;

/** The table `reference_lanes`: state of brands' and categories' lanes. */
@Injectable()
export class ReferenceLanesRepository {
  /** Returns an entry for every lane. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, ReferenceLaneState>> {
    const { rows } = await db.query<{ lane_id: string; state: string }>(
      'SELECT lane_id, state FROM reference_lanes WHERE lane_id = ANY ($1::bigint[])',
      [laneIds],
    );
    const found = new Map(rows.map(({ lane_id, state }) => [lane_id, stateFromText(state)]));
    return new Map(laneIds.map((id) => [id, found.get(id) ?? NEW_REFERENCE_LANE]));
  }

  async save(tx: Tx, states: readonly { laneId: string; state: ReferenceLaneState }[]): Promise<void> {
    for (const { tuples, values } of multiRow(states, TYPES, stateRow)) {
      await tx.query(
        `INSERT INTO reference_lanes (lane_id, state) VALUES ${tuples} ON CONFLICT (lane_id) DO UPDATE SET state = excluded.state`,
        values,
      );
    }
  }
}

function stateRow({ laneId, state }: { laneId: string; state: ReferenceLaneState }): readonly unknown[] {
  return [laneId, stringifyWithDigits(state as unknown as JsonRecord)];
}

function stateFromText(text: string): ReferenceLaneState {
  const value = parseWithDigits(text);
  if (!isPlainRecord(value)) throw new Error('A stored lane has an unknown form');
  return { ...NEW_REFERENCE_LANE, ...(value as unknown as ReferenceLaneState) };
}
