import { storable } from '@gondola/shared/json/storable-text';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import type { LaneStep } from '@gondola/lanes/commands/step-outcome';
import { type CountedGroup, countGroups } from '@gondola/lanes/store/count-groups';
import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { Injectable } from '@nestjs/common';

/** Outcomes of a record that was not applied. */
export const REJECTED = ['invalid', 'refused', 'unconfirmed'] as const;

export interface Rejection {
  readonly id: string;
  readonly tenant: string;
  readonly kind: string;
  readonly externalReference: string;
  readonly commandId: string;
  readonly outcome: (typeof REJECTED)[number];
  readonly reason: string;
  readonly field: string;
  readonly message: string;
  readonly rejectedAt: Date;
}

/** Selects rejections of a tenant. */
export interface RejectionFilter {
  readonly tenant: string;
  readonly kind?: string;
  readonly reason?: string;
  readonly field?: string;
}

const SELECTED = `
  id, tenant, kind, external_reference AS "externalReference", command_id AS "commandId", outcome, reason, field, message,
  rejected_at AS "rejectedAt"`;
const CAUSES = { table: 'rejections', where: 'true', by: ['tenant', 'reason', 'field'], time: 'rejected_at' };

type NewRejection = Omit<Rejection, 'id' | 'rejectedAt'> & { readonly laneId: string };

const COLUMNS: readonly Column<NewRejection>[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['tenant', 'text', ({ tenant }) => tenant],
  ['kind', 'text', ({ kind }) => kind],
  ['external_reference', 'text', ({ externalReference }) => externalReference],
  ['command_id', 'text', ({ commandId }) => commandId],
  ['outcome', 'text', ({ outcome }) => outcome],
  ['reason', 'text', ({ reason }) => reason],
  ['field', 'text', ({ field }) => field],
  ['message', 'text', ({ message }) => message],
];
const KEEP = 'ON CONFLICT (lane_id) DO NOTHING';
const REPLACE = `ON CONFLICT (lane_id) DO UPDATE SET id = excluded.id, command_id = excluded.command_id, outcome = excluded.outcome,
  reason = excluded.reason, field = excluded.field, message = excluded.message, rejected_at = excluded.rejected_at`;

/** Effect of a step on an entity's rejection; null: its last record was applied. */
interface Change {
  readonly laneId: string;
  readonly rejected: NewRejection | null;
}

type Row = Rejection & { [column: string]: unknown };

/** The table `rejections`: why the last record of an entity was not applied. Tested in test/lists.int.spec.ts. */
@Injectable()
export class RejectionsRepository {
  /** Notes the outcomes of steps in the transaction that saves them. */
  async note(tx: Tx, kind: string, saved: readonly SavedStep<LaneStep>[]): Promise<void> {
    const corrected = saved.flatMap(({ step }) => step.corrections?.map((late) => ({ step, late })) ?? []);
    if (corrected.length > 0) {
      // A late outcome says nothing about a later record.
      await tx.query(
        `DELETE FROM rejections AS r USING unnest($1::bigint[], $2::text[]) AS late (lane_id, command_id)
         WHERE (r.lane_id, r.command_id) = (late.lane_id, late.command_id)`,
        [corrected.map(({ step }) => step.lane.id), corrected.map(({ late }) => late.commandId)],
      );
    }
    const late = corrected.map(({ step, late: { commandId, conclusion } }) =>
      changeOf(kind, step, commandId, conclusion),
    );
    await insertRows(tx, 'rejections', COLUMNS, rejectedOf(late), KEEP);
    const ended = saved.flatMap((each) => lastChange(kind, each) ?? []);
    const applied = ended.filter(({ rejected }) => rejected === null).map(({ laneId }) => laneId);
    if (applied.length > 0) await tx.query('DELETE FROM rejections WHERE lane_id = ANY ($1::bigint[])', [applied]);
    await insertRows(tx, 'rejections', COLUMNS, rejectedOf(ended), REPLACE);
  }

  /** Rejections with an id below `before`, newest first. */
  async list(db: Queryable, filter: RejectionFilter, before: string, limit: number): Promise<Rejection[]> {
    const values: unknown[] = [before, limit];
    const named = (['tenant', 'reason', 'field', 'kind'] as const).flatMap((name) =>
      filter[name] === undefined ? [] : [`${name} = $${values.push(filter[name])}`],
    );
    const { rows } = await db.query<Row>(
      `SELECT ${SELECTED} FROM rejections WHERE id < $1 AND ${named.join(' AND ')} ORDER BY id DESC LIMIT $2`,
      values,
    );
    return rows;
  }

  /** By lane. */
  async ofLanes(db: Queryable, laneIds: readonly string[]): Promise<Map<string, Rejection>> {
    const { rows } = await db.query<Row & { laneId: string }>(
      `SELECT lane_id AS "laneId", ${SELECTED} FROM rejections WHERE lane_id = ANY ($1::bigint[])`,
      [laneIds],
    );
    return new Map(rows.map(({ laneId, ...rejection }) => [laneId, rejection as Rejection]));
  }

  /** Rejections of a tenant by reason and field, each with the newest of them. */
  async groups(db: Queryable, tenant: string, atMost: number): Promise<{ group: CountedGroup; example: Rejection }[]> {
    const groups = await countGroups(db, CAUSES, tenant, atMost);
    const found = await Promise.all(
      groups.map(async (group) => {
        const [, reason = '', field = ''] = group.values;
        const [example] = await this.list(db, { tenant, reason, field }, NEWEST, 1);
        return example === undefined ? [] : [{ group, example }];
      }),
    );
    return found.flat();
  }
}

/** Above every id: PostgreSQL's largest bigint. */
const NEWEST = '9223372036854775807';

/** The last outcome of a step's records; a record that a newer one replaced says nothing. */
function lastChange(kind: string, { step, concluded }: SavedStep<LaneStep>): Change | null {
  const last = [...concluded.values()].findLast(({ outcome }) => outcome !== 'superseded');
  return last === undefined ? null : changeOf(kind, step, last.commandId, last as RecordOutcome);
}

/** Characters of a field's name that an entry of the table's indices has room for, however many bytes they take. */
const MAX_FIELD_LENGTH = 250;

type RecordOutcome = Pick<Conclusion, 'outcome' | 'reason' | 'errors'>;

function changeOf(
  kind: string,
  { lane }: LaneStep,
  commandId: string,
  { outcome, reason, errors }: RecordOutcome,
): Change {
  if (!isRejection(outcome)) return { laneId: lane.id, rejected: null };
  const first = errors[0] ?? reason;
  const message = [first?.message, first?.hint].filter((text) => text !== undefined).join(' ');
  const field = (first?.field ?? '').slice(0, MAX_FIELD_LENGTH).toWellFormed();
  const { id: laneId, tenant, identity: externalReference } = lane;
  const rejection = { laneId, tenant, kind, externalReference, commandId, outcome };
  return {
    laneId,
    rejected: { ...rejection, reason: storable(first?.code ?? ''), field: storable(field), message: storable(message) },
  };
}

function isRejection(outcome: string): outcome is Rejection['outcome'] {
  return (REJECTED as readonly string[]).includes(outcome);
}

function rejectedOf(changes: readonly Change[]): NewRejection[] {
  return changes.flatMap(({ rejected }) => (rejected === null ? [] : [rejected]));
}
