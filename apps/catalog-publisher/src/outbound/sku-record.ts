import type { OutRecord } from '@gondola/messaging/record-codec';
import { skuKey } from '@gondola/shared/dedup-keys';
import { partitionKey, subjectOf } from '@gondola/shared/identities';
import { buildSkuSnapshot, SKU_SNAPSHOT_TYPE, skuSnapshotId } from '@gondola/shared/sku-snapshot';
import type { DueSnapshot } from '../domain/known-product.ts';
import type { SkuNews } from '../domain/sku-snapshots.ts';

/** What is told of a SKU as a record of `catalog.skus.v1`, keyed by the SKU; a SKU that is gone is a tombstone. */
export function skuRecord(
  about: { readonly tenant: string; readonly time: string; readonly cause: DueSnapshot },
  { externalReference, version, content }: SkuNews,
): OutRecord {
  const { tenant, time, cause } = about;
  const snapshot = content === null ? null : buildSkuSnapshot({ ...content, version, time });
  return {
    topic: 'catalog.skus.v1',
    key: skuKey(tenant, externalReference),
    id: skuSnapshotId(tenant, externalReference, version),
    type: SKU_SNAPSHOT_TYPE,
    time,
    tenant,
    subject: subjectOf({ kind: 'sku', identity: externalReference }),
    partitionKey: partitionKey(tenant, 'sku', externalReference),
    commandId: cause.commandId,
    ...(cause.traceparent !== null && { traceparent: cause.traceparent }),
    value: snapshot === null ? null : Buffer.from(JSON.stringify(snapshot)),
  };
}
