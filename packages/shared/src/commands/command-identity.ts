import { withIdentityTexts } from '../fields/identity-texts.ts';
import { contentHash } from '../files/content-hash.ts';
import { type JsonRecord, parseRecord } from '../json/json-digits.ts';
import type { ReasonCode } from '../outcomes/reason-codes.ts';
import { identityUnreadable, notAnObject, type Sentences, tenantUnknown } from '../results/unreadable-reason.ts';
import type { ResultEntity } from '../results/result.ts';
import { isIdentityText } from '../topics/identities.ts';
import { tenantOf } from '../topics/tenant-of.ts';

/** Lane and queue of a command, and the entity of its results. */
export interface CommandPlace {
  /** Lane in which the command waits for its turn. */
  readonly lane: { readonly kind: string; readonly identity: string };
  /** Queue of that lane; absent for the main queue (rule 19). */
  readonly queue?: string;
  /** Null if the command names no readable entity. */
  readonly entity: ResultEntity | null;
  readonly parentCommandId?: string | null;
}

/** Fields that must be readable so that a command gets a result (contract, "Values"). */
export interface CommandIdentity extends CommandPlace {
  readonly tenant: string;
  readonly commandId: string;
  /** Name as written, empty if it is no text; for a catalog record its `op`. */
  readonly command: string;
  /** Equal for a repeat (rule 19). */
  readonly contentHash: string;
  /** Load under which the command is counted, if any. */
  readonly loadId?: string | null;
}

/**
 * If the identity is readable, any other error of a command leads to a result; otherwise it leads to a dead letter.
 */
export type CommandReading =
  | { readonly kind: 'command'; readonly identity: CommandIdentity }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: Sentences; readonly tenant?: string };

/** A command of the ERP with its identities as text; null if the value is no JSON object. */
export function parseCommand(value: Uint8Array | null): JsonRecord | null {
  const record = parseRecord(value);
  return record === null ? null : withIdentityTexts(record);
}

/** Reads only the identity of an ERP's command. `placeOf` returns its lane, queue and entity. */
export function readCommandIdentity(
  value: Uint8Array | null,
  about: { readonly tenantHeader: string | undefined; readonly tenants: readonly string[] },
  placeOf: (record: JsonRecord, command: { readonly commandId: string; readonly command: string }) => CommandPlace,
): CommandReading {
  const record = parseCommand(value);
  if (record === null) return { kind: 'dead-letter', code: 'NOT_JSON', reason: notAnObject(value) };
  const owner = tenantOf({ header: about.tenantHeader, field: record['tenant'], known: about.tenants });
  if (!owner.ok) {
    const { code, named } = owner;
    const reason = tenantUnknown(owner, about.tenantHeader ?? record['tenant']);
    return { kind: 'dead-letter', code, reason, ...(named !== undefined && { tenant: named }) };
  }
  const { tenant } = owner;
  const { commandId, command } = record;
  if (!isIdentityText(commandId)) {
    const reason = identityUnreadable('commandId', commandId);
    return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason, tenant };
  }
  const named = { commandId, command: isIdentityText(command) ? command : '' };
  return {
    kind: 'command',
    identity: { tenant, ...named, contentHash: contentHash(record), ...placeOf(record, named) },
  };
}
