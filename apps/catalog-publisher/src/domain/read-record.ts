import { contentHash } from '@gondola/shared/files/content-hash';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { decodeUtf8, type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import type { ReasonCode } from '@gondola/shared/results/reason-codes';
import { tenantOf } from '@gondola/shared/topics/tenant-of';

/** What says whose record it is and which; its content is judged later, in its entity's lane. */
export interface RecordIdentity {
  readonly tenant: string;
  readonly externalReference: string;
  /** `recordId`, else where the record stands. */
  readonly commandId: string;
  readonly op: string;
  readonly contentHash: string;
}

export type ReadRecord =
  | { readonly kind: 'identity'; readonly identity: RecordIdentity }
  | { readonly kind: 'unreadable'; readonly code: ReasonCode; readonly reason: string; readonly tenant?: string };

export interface RecordBytes {
  /** Null in a tombstone. */
  readonly value: Uint8Array | null;
  readonly key: Uint8Array | null;
  readonly tenantHeader: string | undefined;
  /** `<full topic>/<partition>/<offset>`. */
  readonly position: string;
}

/**
 * The identity of a catalog record (contract, "Values": a readable identity is a known tenant and a JSON object with an
 * `externalReference`); a tombstone is the one record that is identified by its key, and means `delete`.
 */
export function readRecord(record: RecordBytes, tenants: readonly string[]): ReadRecord {
  const { value, position, tenantHeader } = record;
  if (value === null) return readTombstone(record, tenants);
  const content = parseRecord(value);
  if (content === null) return unreadable('NOT_JSON', 'the value is not a JSON object in UTF-8');
  const tenant = tenantOf({ header: tenantHeader, field: content['tenant'], known: tenants });
  if (!tenant.ok) return unreadable('TENANT_UNKNOWN', `the tenant is ${tenant.why}`, tenant.named);
  const { externalReference, recordId, op } = content;
  if (!isIdentityText(externalReference)) {
    return unreadable('IDENTITY_MISSING', 'externalReference is not a text', tenant.tenant);
  }
  return {
    kind: 'identity',
    identity: {
      tenant: tenant.tenant,
      externalReference,
      commandId: isIdentityText(recordId) ? recordId : position,
      op: isIdentityText(op) ? op : 'upsert',
      contentHash: contentHash(content),
    },
  };
}

function readTombstone({ key, tenantHeader, position }: RecordBytes, tenants: readonly string[]): ReadRecord {
  const externalReference = key === null ? undefined : decodeUtf8(key);
  const tenant = tenantOf({ header: tenantHeader, field: undefined, known: tenants });
  if (!tenant.ok) return unreadable('TENANT_UNKNOWN', `the tenant is ${tenant.why}`, tenant.named);
  if (!isIdentityText(externalReference)) {
    return unreadable('IDENTITY_MISSING', 'a tombstone without a key that is text', tenant.tenant);
  }
  const content: JsonRecord = { op: 'delete', externalReference };
  const identity = {
    tenant: tenant.tenant,
    externalReference,
    commandId: position,
    op: 'delete',
    contentHash: contentHash(content),
  };
  return { kind: 'identity', identity };
}

function unreadable(code: ReasonCode, reason: string, tenant?: string): ReadRecord {
  return { kind: 'unreadable', code, reason, ...(tenant !== undefined && { tenant }) };
}
