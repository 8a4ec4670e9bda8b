import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { FetchedContentEntity } from './fetched-content.entity.ts';

export type FetchedKey = Pick<FetchedContentEntity, 'tenant' | 'commandId' | 'source'>;

/** The table `fetched_contents`. */
@Injectable()
export class FetchedContentsRepository {
  constructor(private readonly database: Database) {}

  async uploadOf(key: FetchedKey): Promise<string | null> {
    return (await this.database.repository(FetchedContentEntity).findOneBy(key))?.uploadId ?? null;
  }

  async save(key: FetchedKey, uploadId: string): Promise<void> {
    const fetched = this.database.repository(FetchedContentEntity);
    await fetched.upsert({ ...key, uploadId }, ['tenant', 'commandId', 'source']);
  }
}
