import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Queryable } from '../values/column-values.adapter.ts';
import { CategoryEntity } from './category.entity.ts';

@Injectable()
export class CategoriesRepository {
  constructor(private readonly database: Database) {}

  /** The category and its ancestors up to the root, in one statement however deep the tree is. */
  async path(id: string, tx?: Tx): Promise<CategoryEntity[]> {
    const db: Queryable = tx ?? this.database;
    const { rows } = await db.query<{ id: string }>(
      `WITH RECURSIVE above AS (
         SELECT id, parent_id, 0 AS distance FROM categories WHERE id = $1
         UNION ALL
         SELECT c.id, c.parent_id, distance + 1 FROM above JOIN categories c ON c.id = above.parent_id
       )
       SELECT id FROM above ORDER BY distance`,
      [id],
    );
    const ids = rows.map((row) => row.id);
    const found = await this.database.repository(CategoryEntity, tx).findBy({ id: In(ids) });
    return ids.flatMap((one) => found.find((category) => category.id === one) ?? []);
  }
}
