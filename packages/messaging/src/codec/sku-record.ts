import { skuKey } from '@gondola/shared/topics/dedup-keys';
import { partitionKey, subjectOf } from '@gondola/shared/topics/identities';
import { SKU_SNAPSHOT_TYPE } from '@gondola/shared/dto/sku-snapshot.dto';
import { readSkuSnapshot, type SkuSnapshot, skuSnapshotId } from '@gondola/shared/catalog/sku-snapshot';

import { HEADER, type InRecord, type OutRecord } from './record-codec.ts';

/**
 * Records of `catalog.skus.v1`: compacted, keyed by their SKU; a SKU that is gone is a tombstone. Writing and reading
 * them, in one place.
 */

const SUBJECT_PREFIX = subjectOf({ kind: 'sku', identity: '' });

type SkuChange =
  | { readonly kind: 'snapshot'; readonly snapshot: SkuSnapshot }
  | { readonly kind: 'gone'; readonly tenant: string; readonly skuExternalReference: string };

/** The command that a record of a SKU follows from, where there was one, and its trace. */
export interface SkuCause {
  readonly commandId?: string;
  readonly traceparent: string;
}

export function skuRecord(snapshot: SkuSnapshot, cause: SkuCause): OutRecord {
  return {
    ...headOf(snapshot, cause),
    value: Buffer.from(JSON.stringify(snapshot)),
  };
}

/** The record after which nothing is known of a SKU; without content, it has no `content-type` either. */
export function skuTombstone(
  gone: {
    readonly tenant: string;
    readonly skuExternalReference: string;
    readonly version: string | number;
    readonly time: string;
  },
  cause: SkuCause,
): OutRecord {
  const id = skuSnapshotId(gone.tenant, gone.skuExternalReference, gone.version);
  return { ...headOf({ ...gone, id }, cause), contentType: null, value: null };
}

/**
 * Reads a consumed record; null for one that is none of Gondola's. A tombstone has no value to name its SKU: its
 * headers do, as keys are never parsed.
 */
export function readSkuRecord(record: Pick<InRecord, 'value' | 'header'>): SkuChange | null {
  if (record.value !== null) {
    const snapshot = readSkuSnapshot(record.value);
    return snapshot === null ? null : { kind: 'snapshot', snapshot };
  }
  const tenant = record.header(HEADER.tenant);
  const subject = record.header(HEADER.subject);
  if (tenant === undefined || subject === undefined || !subject.startsWith(SUBJECT_PREFIX)) return null;
  return { kind: 'gone', tenant, skuExternalReference: subject.slice(SUBJECT_PREFIX.length) };
}

function headOf(
  about: Pick<SkuSnapshot, 'id' | 'tenant' | 'skuExternalReference' | 'time'>,
  { commandId, traceparent }: SkuCause,
): Omit<OutRecord, 'value'> {
  const { id, tenant, skuExternalReference, time } = about;
  return {
    topic: 'catalog.skus.v1',
    key: skuKey(tenant, skuExternalReference),
    id,
    type: SKU_SNAPSHOT_TYPE,
    time,
    tenant,
    subject: subjectOf({ kind: 'sku', identity: skuExternalReference }),
    partitionKey: partitionKey(tenant, 'sku', skuExternalReference),
    ...(commandId !== undefined && { commandId }),
    traceparent,
  };
}
