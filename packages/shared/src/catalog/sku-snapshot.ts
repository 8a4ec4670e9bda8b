import { SKU_SNAPSHOT_TYPE, type SkuSnapshotDto } from './sku-snapshot.dto.ts';
import type { Plain } from '../schemas/plain.ts';
import { skuKey } from '../topics/dedup-keys.ts';
import { type JsonRecord, type JsonValue, parseRecord } from '../json/json-digits.ts';

export type SkuSnapshot = Plain<SkuSnapshotDto>;

/** `ce_id` of a version of a snapshot or tombstone. The versions of a SKU rise. */
export function skuSnapshotId(tenant: string, skuExternalReference: string, version: string | number): string {
  return `${skuKey(tenant, skuExternalReference)}:${version}`;
}

/** A snapshot with its id. */
export function buildSkuSnapshot(
  snapshot: Omit<SkuSnapshot, 'id' | 'type'> & { readonly version: string | number },
): SkuSnapshot {
  const { version, ...rest } = snapshot;
  return {
    id: skuSnapshotId(rest.tenant, rest.skuExternalReference, version),
    type: SKU_SNAPSHOT_TYPE,
    ...rest,
  };
}

/** The snapshot in a record's value; null if it is none. Fields that are missing or have another type are null. */
export function readSkuSnapshot(value: Uint8Array): SkuSnapshot | null {
  const record = parseRecord(value);
  if (record === null || record['type'] !== SKU_SNAPSHOT_TYPE) return null;
  const [id, tenant, time] = [textAt(record, 'id'), textAt(record, 'tenant'), textAt(record, 'time')];
  const sku = textAt(record, 'skuExternalReference');
  const product = textAt(record, 'productExternalReference');
  if (id === null || tenant === null || time === null || sku === null || product === null) return null;
  const active: JsonValue | undefined = record['active'];
  return {
    id,
    type: SKU_SNAPSHOT_TYPE,
    tenant,
    time,
    skuExternalReference: sku,
    skuId: textAt(record, 'skuId'),
    productExternalReference: product,
    productId: textAt(record, 'productId'),
    name: textAt(record, 'name'),
    ean: textAt(record, 'ean'),
    reference: textAt(record, 'reference'),
    unitOfMeasurement: textAt(record, 'unitOfMeasurement'),
    arithmeticFactor: textAt(record, 'arithmeticFactor'),
    active: typeof active === 'boolean' ? active : null,
  };
}

function textAt(record: JsonRecord, name: string): string | null {
  const value = record[name];
  return typeof value === 'string' ? value : null;
}
