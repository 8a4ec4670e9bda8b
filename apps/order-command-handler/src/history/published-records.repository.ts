import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { PublishedRecordEntity } from './published-record.entity.ts';
import type { PublishedRecord } from './published-record.ts';

/** The table `published_records`. */
@Injectable()
export class PublishedRecordsRepository {
  constructor(private readonly database: Database) {}

  /** Adds records, in their order, of lanes that `tx` has locked. */
  async insert(tx: Tx, records: ReadonlyArray<PublishedRecord & { readonly laneId: string }>): Promise<void> {
    if (records.length === 0) return;
    await this.database.repository(PublishedRecordEntity, tx).insert([...records]);
  }

  /** The newest of a lane, oldest first, at most `limit`. */
  async newestOf(laneId: string, limit: number): Promise<PublishedRecord[]> {
    const newest = await this.database
      .repository(PublishedRecordEntity)
      .find({ where: { laneId }, order: { id: 'DESC' }, take: limit });
    return newest.toReversed();
  }
}
