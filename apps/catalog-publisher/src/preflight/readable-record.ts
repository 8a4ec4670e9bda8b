import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import { type NamesOf, readRecordIdentity } from '../records/read-record.ts';
import { type JudgedRecord, NOTHING } from './judged-record.ts';

/** A record with a readable identity. */
export interface ReadableRecord {
  readonly kind: CatalogKind;
  readonly externalReference: string;
  /** Identity of its lane. */
  readonly lane: string;
  readonly value: Buffer;
  /** Its `op`. */
  readonly command: string;
  /** Null if the record has no id of its own. */
  readonly recordId: string | null;
  readonly contentHash: string;
}

/** No record's id: it stands in the place of the position in a topic. */
const NO_POSITION = '';

/** Reads a record's identity, or judges one that would be a dead letter. */
export function readRecord(
  kind: CatalogKind,
  text: string,
  { id: tenant, language }: { readonly id: string; readonly language: Language },
  namesOf?: NamesOf,
): ReadableRecord | JudgedRecord {
  const value = Buffer.from(text);
  const read = readRecordIdentity(
    kind,
    { value, key: null, tenantHeader: tenant, position: NO_POSITION },
    [tenant],
    namesOf,
  );
  if (read.kind === 'dead-letter') {
    const error = { field: '', code: read.code, message: read.reason[language] };
    return { ...NOTHING, outcome: 'unreadable', errors: [error] };
  }
  const { entity, lane, commandId, command, contentHash } = read.identity;
  const externalReference = entity !== null && 'externalReference' in entity ? entity.externalReference : '';
  const recordId = commandId === NO_POSITION ? null : commandId;
  return { kind, externalReference, lane: lane.identity, value, command, recordId, contentHash };
}
