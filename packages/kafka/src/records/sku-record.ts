import { skuKey } from '@gondola/shared/topics/dedup-keys';
import { partitionKey, subjectOf } from '@gondola/shared/topics/identities';
import { SKU_SNAPSHOT_TYPE } from '@gondola/shared/catalog/sku-snapshot.dto';
import { readSkuSnapshot, type SkuSnapshot, skuSnapshotId } from '@gondola/shared/catalog/sku-snapshot';

import { HEADER, type InRecord, type OutRecord } from './record-codec.ts';

/**
 * Writes and reads the records of `catalog.skus.v1`, which is compacted and keyed by SKU; the record of a deleted
 * SKU is a tombstone.
 */

const SUBJECT_PREFIX = subjectOf({ kind: 'sku', identity: '' });

type SkuChange =
  | { readonly kind: 'snapshot'; readonly snapshot: SkuSnapshot }
  | { readonly kind: 'gone'; readonly tenant: string; readonly skuExternalReference: string };

/** The command that caused a record of a SKU, if any, and its trace. */
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

/** Tombstone of a SKU that was deleted; it has no content and therefore no `content-type`. */
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
 * Reads a consumed record; null for a record that Gondola did not write. Keys are never parsed, and a tombstone has
 * no value, so its SKU is read from its headers.
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
