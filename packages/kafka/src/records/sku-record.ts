import { skuKey } from '@gondola/shared/topics/dedup-keys';
import { isIdentityText, partitionKey, subjectOf } from '@gondola/shared/topics/identities';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { SKU_SNAPSHOT_TYPE } from '@gondola/shared/catalog/sku-snapshot.dto';
import { readSkuSnapshot, type SkuSnapshot, skuSnapshotId } from '@gondola/shared/catalog/sku-snapshot';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { identityUnreadable, type Sentences, sentencesOf } from '@gondola/shared/results/unreadable-reason';

import { HEADER, type InRecord, type OutRecord } from './record-codec.ts';

/**
 * Writes and reads the records of `catalog.skus.v1`, which is compacted and keyed by SKU; the record of a deleted
 * SKU is a tombstone.
 */

const SUBJECT_PREFIX = subjectOf({ kind: 'sku', identity: '' });

/** A SKU after a record. */
export interface SkuChange {
  readonly tenant: string;
  readonly skuExternalReference: string;
  /** Null: it no longer exists. */
  readonly snapshot: SkuSnapshot | null;
}

/** A consumed record; what cannot be read becomes a dead letter. */
export type SkuReading =
  | { readonly kind: 'item'; readonly item: SkuChange; readonly tenant: string }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: Sentences; readonly tenant?: string }
  /** A tombstone that Gondola did not write, or a record that has outlived its tenant, since the topic is compacted. */
  | { readonly kind: 'skip'; readonly why: 'no-snapshot' | 'tenant-unknown' };

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

/** Reads a consumed record. Keys are never parsed, and a tombstone has no value: its SKU is read from its headers. */
export function readSkuRecord(record: Pick<InRecord, 'value' | 'header'>, tenants: readonly string[]): SkuReading {
  const snapshot = record.value === null ? null : readSkuSnapshot(record.value);
  if (record.value !== null && snapshot === null) {
    return { kind: 'dead-letter', code: 'NOT_JSON', reason: sentencesOf('NOT_JSON', 'catalog.skus.v1') };
  }
  const named = snapshot ?? goneSku(record);
  if (named === null) return { kind: 'skip', why: 'no-snapshot' };
  const { skuExternalReference } = named;
  const owner = tenantOf({ header: named.tenant, field: undefined, known: tenants });
  if (!owner.ok) return { kind: 'skip', why: 'tenant-unknown' };
  const { tenant } = owner;
  if (!isIdentityText(skuExternalReference)) {
    const reason = identityUnreadable('skuExternalReference', skuExternalReference);
    return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason, tenant };
  }
  return { kind: 'item', item: { tenant, skuExternalReference, snapshot }, tenant };
}

/** The SKU that a tombstone names. */
function goneSku({ header }: Pick<InRecord, 'header'>): Pick<SkuChange, 'tenant' | 'skuExternalReference'> | null {
  const tenant = header(HEADER.tenant);
  const subject = header(HEADER.subject);
  if (tenant === undefined || subject === undefined || !subject.startsWith(SUBJECT_PREFIX)) return null;
  return { tenant, skuExternalReference: subject.slice(SUBJECT_PREFIX.length) };
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
