import type { ReplayRecord } from '@gondola/kafka/records/replay-record';
import { NewestOfKeys } from '@gondola/lanes/replays/newest-of-keys';
import type { Tx } from '@gondola/service-kit/database/database';
import { skuSnapshotId } from '@gondola/shared/catalog/sku-snapshot';
import { Injectable } from '@nestjs/common';

/** In the order in which `SkusRepository` locks them. */
const LOCK = `
  SELECT tenant, external_reference AS sku, version::text FROM skus
  WHERE (tenant, external_reference) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  ORDER BY tenant, external_reference COLLATE "C" FOR SHARE`;

/**
 * The published versions of SKUs. A change of one updates its row before its record enters the outbox, so it waits for
 * the lock here. Tested in replayed-skus.int.spec.ts.
 */
@Injectable()
export class NewestSkus extends NewestOfKeys {
  override async locked(tx: Tx, records: readonly ReplayRecord[]): Promise<readonly ReplayRecord[]> {
    const { rows } = await tx.query<{ tenant: string; sku: string; version: string }>(LOCK, [
      records.map(({ tenant }) => tenant),
      records.map(({ identity }) => identity),
    ]);
    const newest = new Set(rows.map(({ tenant, sku, version }) => skuSnapshotId(tenant, sku, version)));
    // A record may be there twice, as itself and as its replay.
    return records.filter(({ id }) => newest.delete(id));
  }
}
