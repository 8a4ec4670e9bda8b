import { withIdentityTexts } from '../fields/identity-texts.ts';
import { contentHash } from '../files/content-hash.ts';
import { type JsonRecord, parseRecord } from '../json/json-digits.ts';
import type { ReasonCode } from '../results/reason-codes.ts';
import { identityUnreadable, notAnObject, type Sentences, tenantUnknown } from '../results/unreadable-reason.ts';
import type { ResultEntity } from '../results/result.ts';
import { isIdentityText } from '../topics/identities.ts';
import { tenantOf } from '../topics/tenant-of.ts';

/** The lane and queue of a command, and the entity of its results. */
export interface CommandPlace {
  /** Whose turn it waits for. */
  readonly lane: { readonly kind: string; readonly identity: string };
  /** The queue of that lane, where it is not the main one (rule 19). */
  readonly queue?: string;
  /** Null where the command names nothing that can be read. */
  readonly entity: ResultEntity | null;
  readonly parentCommandId?: string | null;
}

/** The fields that must be readable so that a command can end in a result (contract, "Values"). */
export interface CommandIdentity extends CommandPlace {
  readonly tenant: string;
  readonly commandId: string;
  /** Its name as it was written, empty for what is no text; of a catalog record its `op`. */
  readonly command: string;
  /** Equal for a repeat (rule 19). */
  readonly contentHash: string;
  /** The load under which it is counted, where it belongs to one. */
  readonly loadId?: string | null;
}

/**
 * With a readable identity whatever else is wrong with a command ends in a result; without one it ends as a dead
 * letter.
 */
export type CommandReading =
  | { readonly kind: 'command'; readonly identity: CommandIdentity }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: Sentences; readonly tenant?: string };

/** A command of the ERP, its identities as text; null for anything but a JSON object. */
export function parseCommand(value: Uint8Array | null): JsonRecord | null {
  const record = parseRecord(value);
  return record === null ? null : withIdentityTexts(record);
}

/** Reads no more of an ERP's command than its identity. `placeOf` says where such a command waits. */
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
