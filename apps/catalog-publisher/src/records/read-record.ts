import { type CommandIdentity, type CommandReading } from '@gondola/shared/commands/command-identity';
import { contentHash } from '@gondola/shared/files/content-hash';
import { decodeUtf8, type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import type { ReasonCode } from '@gondola/shared/results/reason-codes';
import {
  identityUnreadable,
  notAnObject,
  type Sentences,
  tenantUnknown,
} from '@gondola/shared/results/unreadable-reason';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { withIdentityTexts } from '@gondola/shared/fields/identity-texts';
import { placeText, valuePlace } from '@gondola/shared/catalog/value-record';
import { type CatalogKind, isValueKind } from './catalog-kinds.ts';

const NO_KEY: Sentences = {
  'pt-BR': 'Falta a chave, que é o que identifica um registro sem valor (tombstone), ou ela não é um texto.',
  en: 'The key, which alone identifies a record without a value (a tombstone), is missing or no text.',
};

/** Characters of a `loadId`; a longer one makes its record `invalid`. */
export const MAX_LOAD_ID = 200;

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
 * `externalReference`); a tombstone is the one record that is identified by its key, and means `delete`. The command's
 * name is the record's `op`, and its id the `recordId`, else where the record stands.
 */
export function readRecordIdentity(kind: CatalogKind, record: RecordBytes, tenants: readonly string[]): CommandReading {
  const { value, position, tenantHeader } = record;
  if (value === null) return readTombstone(kind, record, tenants);
  const given = parseRecord(value);
  if (given === null) return unreadable('NOT_JSON', notAnObject(value));
  const content = withIdentityTexts(given);
  const tenant = tenantOf({ header: tenantHeader, field: content['tenant'], known: tenants });
  if (!tenant.ok) {
    return unreadable('TENANT_UNKNOWN', tenantUnknown(tenant, tenantHeader ?? content['tenant']), tenant.named);
  }
  const { externalReference, recordId, op, loadId } = content;
  // A record is the same whichever load brings it.
  const { loadId: _, ...compared } = given;
  if (!isIdentityText(externalReference)) {
    return unreadable('IDENTITY_MISSING', identityUnreadable('externalReference', externalReference), tenant.tenant);
  }
  return commandOf({
    tenant: tenant.tenant,
    ...placeOf(kind, externalReference, content),
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
): CommandReading {
  const externalReference = key === null ? undefined : decodeUtf8(key);
  const tenant = tenantOf({ header: tenantHeader, field: undefined, known: tenants });
  if (!tenant.ok) return unreadable('TENANT_UNKNOWN', tenantUnknown(tenant, tenantHeader), tenant.named);
  if (!isIdentityText(externalReference)) {
    return unreadable('IDENTITY_MISSING', NO_KEY, tenant.tenant);
  }
  return commandOf({
    tenant: tenant.tenant,
    ...placeOf(kind, externalReference),
    commandId: position,
    command: 'delete',
    contentHash: contentHash({ op: 'delete', externalReference }),
  });
}

/** One lane for each entity, which is what the results are about. */
function placeOf(
  kind: CatalogKind,
  externalReference: string,
  content: JsonRecord = {},
): Pick<CommandIdentity, 'lane' | 'entity'> {
  if (isValueKind(kind)) {
    const place = valuePlace(content, externalReference);
    return { lane: { kind, identity: placeText(place) }, entity: { kind, ...place } };
  }
  return { lane: { kind, identity: externalReference }, entity: { kind, externalReference } };
}

function commandOf(identity: CommandIdentity): CommandReading {
  return { kind: 'command', identity };
}

function unreadable(code: ReasonCode, reason: Sentences, tenant?: string): CommandReading {
  return { kind: 'dead-letter', code, reason, ...(tenant !== undefined && { tenant }) };
}

/** A catalog record's object; a tombstone is the same as `op: delete`. That it is one was seen when it was taken. */
export function contentOf(record: {
  readonly value: Uint8Array | null;
  readonly externalReference: string;
}): JsonRecord {
  const { value, externalReference } = record;
  if (value === null) return { op: 'delete', externalReference };
  const content = parseRecord(value);
  if (content === null) throw new Error('A record that was taken as JSON is none');
  return withIdentityTexts(content);
}

/** A lower version than the highest that came (rule 28); versions as decimal text, null where there is none. */
export function isStale(version: bigint | null, latest: string | null): boolean {
  return version !== null && latest !== null && version < BigInt(latest);
}
