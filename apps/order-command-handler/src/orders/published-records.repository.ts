import { Database, type Tx } from '@gondola/service-kit/database/database';
import { multiRow } from '@gondola/messaging/store/multi-row';
import { Injectable } from '@nestjs/common';
import { PublishedRecordEntity } from './published-record.entity.ts';
import type { PublishedRecord } from './published-record.ts';

type NewRecord = PublishedRecord & { readonly laneId: string };

/** Columns of the insert: name, type, value. */
const COLUMNS: readonly (readonly [name: string, type: string, of: (record: NewRecord) => unknown])[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['published_at', 'timestamptz', ({ at }) => at],
  ['kind', 'text', ({ kind }) => kind],
  ['record_id', 'text', ({ recordId }) => recordId],
  ['type', 'text', ({ type }) => type],
  ['revision', 'integer', ({ revision }) => revision],
  ['status', 'integer', ({ status }) => status],
  ['command_id', 'text', ({ commandId }) => commandId],
  ['cause', 'text', ({ cause }) => cause],
  ['outcome', 'text', ({ outcome }) => outcome],
  ['is_correction', 'boolean', ({ isCorrection }) => isCorrection],
  ['reason_code', 'text', ({ reasonCode }) => reasonCode],
  ['evidence', 'text', ({ evidence }) => evidence],
];

const INSERT = `INSERT INTO published_records (${COLUMNS.map(([name]) => name).join(', ')}) VALUES `;
const TYPES = COLUMNS.map(([, type]) => type);

/** The table `published_records`. */
@Injectable()
export class PublishedRecordsRepository {
  constructor(private readonly database: Database) {}

  /** Inserts records in their order; `tx` has locked their lanes. */
  async insert(tx: Tx, records: readonly NewRecord[]): Promise<void> {
    for (const { tuples, values } of multiRow(records, TYPES, valuesOf)) await tx.query(INSERT + tuples, values);
  }

  /** The newest `limit` entries of a lane, oldest first. */
  async newestOf(laneId: string, limit: number): Promise<PublishedRecord[]> {
    const newest = await this.database
      .repository(PublishedRecordEntity)
      .find({ where: { laneId }, order: { id: 'DESC' }, take: limit });
    return newest.toReversed();
  }
}

function valuesOf(record: NewRecord): readonly unknown[] {
  return COLUMNS.map(([, , of]) => of(record));
}
