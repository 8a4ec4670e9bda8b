import type { Queryable } from '@gondola/messaging/store/queryable';
import { Injectable } from '@nestjs/common';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';
import { RESEND_QUEUE } from '../records/resend.ts';

/** An open record of a category. */
export interface OpenCategory {
  readonly id: string;
  /** Reference of its category. */
  readonly identity: string;
  readonly value: Buffer | null;
  readonly progress: string | null;
}

/** More than this many open records are rarely all of moves; the rest is looked at once these have ended. */
const MAX_OPEN = 5_000;

/** When the ERP wrote the record, which orders records of different topics. */
const WRITTEN_AT = (command: string): string => `coalesce(${command}.produced_at, ${command}.received_at)`;

/**
 * Brands of removals ($2 their commands, $3 the brands) of which each product has an open record that was written
 * before the removal, and may take the brand from it.
 */
const MAY_BECOME_FREE = `
  SELECT removal.brand FROM unnest($2::bigint[], $3::text[]) AS removal (id, brand)
  JOIN commands AS own ON own.id = removal.id
  WHERE NOT EXISTS (
    SELECT 1 FROM product_references AS used
    WHERE used.tenant = $1 AND used.kind = 'brand' AND used.external_reference = removal.brand AND NOT EXISTS (
      SELECT 1 FROM commands AS move
      WHERE move.lane_id = used.lane_id AND move.state = 'open' AND move.queue <> '${RESEND_QUEUE}'
        AND ${WRITTEN_AT('move')} <= ${WRITTEN_AT('own')}))`;

/** Open records of other lanes that may change the answer to a record. */
@Injectable()
export class OpenOthersRepository {
  /** The ones among brands to be removed that products may be about to leave. */
  async mayBecomeFree(
    db: Queryable,
    tenant: string,
    removals: readonly { readonly id: string; readonly brand: string }[],
  ): Promise<Set<string>> {
    if (removals.length === 0) return new Set();
    const columns = [removals.map(({ id }) => id), removals.map(({ brand }) => brand)];
    const { rows } = await db.query<{ brand: string }>(MAY_BECOME_FREE, [tenant, ...columns]);
    return new Set(rows.map(({ brand }) => brand));
  }

  /** Open records of categories, in the order in which they arrived. */
  async categories(db: Queryable, tenant: string): Promise<OpenCategory[]> {
    const { rows } = await db.query<OpenCategory & { [column: string]: unknown }>(
      `SELECT c.id, lanes.identity, c.value, c.progress::text FROM commands AS c JOIN lanes ON lanes.id = c.lane_id
       WHERE c.tenant = $1 AND c.topic = $2 AND c.state = 'open' AND c.queue <> $3 ORDER BY c.place LIMIT ${MAX_OPEN}`,
      [tenant, CATALOG_TOPICS.category, RESEND_QUEUE],
    );
    return rows;
  }
}
