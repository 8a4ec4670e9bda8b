import { isValueKind, type ValueKind } from '@gondola/shared/topics/values';
import { type CommandIdentity, type CommandReading } from '@gondola/shared/commands/command-identity';
import { contentHash } from '@gondola/shared/files/content-hash';
import { decodeUtf8, type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import {
  identityUnreadable,
  notAnObject,
  type Sentences,
  tenantUnknown,
} from '@gondola/shared/results/unreadable-reason';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { withIdentityTexts } from '@gondola/shared/fields/identity-texts';
import { type PlaceNames, valueIdentity, type ValuePlace, valuePlace } from '@gondola/shared/catalog/value-place';
import type { CatalogKind } from './catalog-kinds.ts';

const NO_KEY: Sentences = {
  'pt-BR': 'Falta a chave, que é o que identifica um registro sem valor (tombstone), ou ela não é um texto.',
  en: 'The key, which alone identifies a record without a value (a tombstone), is missing or no text.',
};

/** Longest `loadId` in characters; a longer one makes its record `invalid`. */
export const MAX_LOAD_ID = 200;

/** A tenant's names for the identities of its values. */
export type NamesOf = (tenant: string, kind: ValueKind) => PlaceNames;

const NO_NAMES: NamesOf = () => ({ fields: {}, policies: {} });

export interface RecordBytes {
  /** Null in a tombstone. */
  readonly value: Uint8Array | null;
  readonly key: Uint8Array | null;
  readonly tenantHeader: string | undefined;
  /** `<full topic>/<partition>/<offset>`. */
  readonly position: string;
}

/**
 * Reads the identity of a catalog record (contract, "Values": a readable identity is a known tenant and a JSON object
 * with an `externalReference`). Only a tombstone is identified by its key; it means `delete`. The command's name is
 * the record's `op`; its id is the `recordId`, else the record's position.
 */
export function readRecordIdentity(
  kind: CatalogKind,
  record: RecordBytes,
  tenants: readonly string[],
  namesOf: NamesOf = NO_NAMES,
): CommandReading {
  const { value, position, tenantHeader } = record;
  if (value === null) return readTombstone(kind, record, tenants, namesOf);
  const given = parseRecord(value);
  if (given === null) return unreadable('NOT_JSON', notAnObject(value));
  const content = withIdentityTexts(given);
  const tenant = tenantOf({ header: tenantHeader, field: content['tenant'], known: tenants });
  if (!tenant.ok) {
    return unreadable('TENANT_UNKNOWN', tenantUnknown(tenant, tenantHeader ?? content['tenant']), tenant.named);
  }
  const { externalReference, recordId, op, loadId } = content;
  // The `loadId` is no part of the content: the same record in another load is a repeat.
  const { loadId: _, ...compared } = given;
  if (!isIdentityText(externalReference)) {
    return unreadable('IDENTITY_MISSING', identityUnreadable('externalReference', externalReference), tenant.tenant);
  }
  return commandOf({
    tenant: tenant.tenant,
    ...placeOf(kind, { ...content, externalReference }, (ofKind) => namesOf(tenant.tenant, ofKind)),
    commandId: isIdentityText(recordId) ? recordId : position,
    command: isIdentityText(op) ? op : 'upsert',
    contentHash: contentHash(compared),
    loadId: isIdentityText(loadId) && loadId.length <= MAX_LOAD_ID ? loadId : null,
  });
}

function readTombstone(
  kind: CatalogKind,
  { key, tenantHeader, position }: RecordBytes,
  tenants: readonly string[],
  namesOf: NamesOf,
): CommandReading {
  const externalReference = key === null ? undefined : decodeUtf8(key)?.trim();
  const tenant = tenantOf({ header: tenantHeader, field: undefined, known: tenants });
  if (!tenant.ok) return unreadable('TENANT_UNKNOWN', tenantUnknown(tenant, tenantHeader), tenant.named);
  if (!isIdentityText(externalReference)) {
    return unreadable('IDENTITY_MISSING', NO_KEY, tenant.tenant);
  }
  return commandOf({
    tenant: tenant.tenant,
    ...placeOf(kind, { externalReference }, (ofKind) => namesOf(tenant.tenant, ofKind)),
    commandId: position,
    command: 'delete',
    contentHash: contentHash({ op: 'delete', externalReference }),
  });
}

/** Lane of the record's entity, which is also the entity of its results. */
function placeOf(
  kind: CatalogKind,
  content: JsonRecord & { readonly externalReference: string },
  namesOf: (kind: ValueKind) => PlaceNames,
): Pick<CommandIdentity, 'lane' | 'entity'> {
  const { externalReference } = content;
  if (isValueKind(kind)) {
    const names = namesOf(kind);
    const place = valuePlace(content, externalReference, names);
    return { lane: { kind, identity: valueIdentity(kind, content, place, names) }, entity: { kind, ...place } };
  }
  return { lane: { kind, identity: externalReference }, entity: { kind, externalReference } };
}

function commandOf(identity: CommandIdentity): CommandReading {
  return { kind: 'command', identity };
}

function unreadable(code: ReasonCode, reason: Sentences, tenant?: string): CommandReading {
  return { kind: 'dead-letter', code, reason, ...(tenant !== undefined && { tenant }) };
}

/**
 * JSON object of a catalog record, validated at intake; a tombstone equals `op: delete`. It names the entity of its
 * lane, also where an earlier version took it in with blanks around the reference.
 */
export function contentOf(record: {
  readonly value: Uint8Array | null;
  readonly externalReference: string;
}): JsonRecord {
  const { value, externalReference } = record;
  if (value === null) return { op: 'delete', externalReference };
  const content = parseRecord(value);
  if (content === null) throw new Error('A record that was stored as JSON is not JSON');
  return { ...withIdentityTexts(content), externalReference };
}

/** Reference that a record of a warehouse has, which its lane need not have; a tombstone has none. */
export function referenceOf({ value }: { readonly value: Uint8Array | null }, place: ValuePlace): string {
  const content = value === null ? null : parseRecord(value);
  const reference = content === null ? undefined : withIdentityTexts(content)['externalReference'];
  return isIdentityText(reference) ? reference : place.externalReference;
}

/** True for a version below the highest received one (rule 28); versions are decimal text, null for none. */
export function isStale(version: bigint | null, latest: string | null): boolean {
  return version !== null && latest !== null && version < BigInt(latest);
}

/** The higher of two versions, as decimal text. */
export function highest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return BigInt(one) < BigInt(other) ? other : one;
}
