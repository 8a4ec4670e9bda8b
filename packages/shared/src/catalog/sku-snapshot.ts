import { skuKey } from '../topics/dedup-keys.ts';
import { type JsonRecord, type JsonValue, parseRecord } from '../json/json-digits.ts';

export const SKU_SNAPSHOT_TYPE = 'gondola.sku.v1';

/**
 * What is known of a SKU: the value of `catalog.skus.v1` (contract, "Headers on what Gondola writes"). Absent values
 * are null.
 */
export interface SkuSnapshot {
  /** `<key>:<version>`. */
  readonly id: string;
  readonly type: typeof SKU_SNAPSHOT_TYPE;
  readonly tenant: string;
  readonly time: string;
  readonly skuExternalReference: string;
  /** The platform's GUID. */
  readonly skuId: string | null;
  readonly productExternalReference: string;
  /** The platform's GUID. */
  readonly productId: string | null;
  readonly name: string | null;
  readonly ean: string | null;
  readonly reference: string | null;
  /** `Un`, `Kg`, `G`, `Mg`. */
  readonly unitOfMeasurement: string | null;
  /** Decimal text without trailing zeros. */
  readonly arithmeticFactor: string | null;
  readonly active: boolean | null;
}

/** `ce_id` of the version of a snapshot, of a tombstone too. Versions of a SKU rise. */
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

/** The snapshot in a record's value; null for what is none. Fields that are missing or of another type are null. */
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
