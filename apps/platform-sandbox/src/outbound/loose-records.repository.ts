import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { identityOf, type LooseEntity } from '../domain/catalog/loose-record.ts';
import { parseExact, type JsonObject } from '../domain/exact-json.ts';
import type { Queryable } from './queryable.ts';

/** Records of which the newest one of each identity is kept. */
@Injectable()
export class LooseRecordsRepository {
  /** Whether there was one of this identity. */
  async save(db: Queryable, contractAccountId: string, entity: LooseEntity, data: JsonObject): Promise<boolean> {
    // By its hash: identities may be of any length, and hold characters that no database holds.
    const identity = sha256(identityOf(entity, data, sha256));
    const { rows } = await db.query<{ existed: boolean }>(
      `WITH before AS (SELECT 1 FROM loose_records WHERE contract_account_id = $1 AND entity = $2 AND identity = $3)
       INSERT INTO loose_records (contract_account_id, entity, identity, data) VALUES ($1, $2, $3, $4)
       ON CONFLICT (contract_account_id, entity, identity) DO UPDATE SET data = excluded.data
       RETURNING EXISTS (SELECT 1 FROM before) AS existed`,
      [contractAccountId, entity, identity, JSON.stringify(data)],
    );
    return rows[0]?.existed === true;
  }

  /** Those of an entity, in the order in which they came first. */
  async all(db: Queryable, contractAccountId: string, entity: LooseEntity, limit: number): Promise<JsonObject[]> {
    const { rows } = await db.query<{ data: string }>(
      `SELECT data::text AS data FROM loose_records WHERE contract_account_id = $1 AND entity = $2 ORDER BY seq LIMIT $3`,
      [contractAccountId, entity, limit],
    );
    return rows.map(({ data }) => parseExact(data) as JsonObject);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
