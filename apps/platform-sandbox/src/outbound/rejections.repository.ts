import { Injectable } from '@nestjs/common';
import type { Rejection } from '../domain/webhooks/rejection.ts';
import type { Queryable } from './queryable.ts';
import { storable } from './storable.ts';

/** What the core refused, until the history forgets it. */
@Injectable()
export class RejectionsRepository {
  async add(db: Queryable, rejections: readonly Rejection[]): Promise<void> {
    if (rejections.length === 0) return;
    await db.query(
      `INSERT INTO rejections (operation_id, event_type, about, sku, error)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::json[])`,
      [
        rejections.map(({ operationId }) => operationId),
        rejections.map(({ eventType }) => eventType),
        rejections.map(({ about }) => about && storable(about)),
        rejections.map(({ sku }) => sku && storable(sku)),
        rejections.map(({ error }) => JSON.stringify(error)),
      ],
    );
  }
}
