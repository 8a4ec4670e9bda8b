import { contentHash } from '@gondola/shared/content-hash';
import { fieldReason } from '@gondola/shared/field-reasons';
import { isIdentityText } from '@gondola/shared/identities';
import { type JsonRecord, decodeUtf8, isPlainRecord, tryParseWithDigits } from '@gondola/shared/json-digits';
import { readOrderCommand } from '@gondola/shared/order-command';
import { ORDER_COMMAND_TARGETS, isOrderCommandName } from '@gondola/shared/order-command-names';
import type { FieldReason, Language, Reason, ReasonCode } from '@gondola/shared/reason-codes';
import { tenantOf } from '@gondola/shared/tenant-of';
import { readOrderNumber } from './read-notification.ts';

/** What has to be readable of a command so that it can end in a result (contract, "Values"). */
export interface CommandIdentity {
  readonly tenant: string;
  readonly commandId: string;
  /** Its name as it was written; empty for what is no text. */
  readonly command: string;
  /** Null where the field is missing or no order number, which the result will say. */
  readonly orderNumber: string | null;
  /** Equal for a repeat (rule 19). */
  readonly contentHash: string;
}

export type CommandReading =
  | { readonly kind: 'command'; readonly identity: CommandIdentity }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: string; readonly tenant?: string };

/** Reads no more of a command than its identity: with it, whatever else is wrong ends in a result; without it, in a dead letter. */
export function readCommandIdentity(
  value: Uint8Array | null,
  about: { readonly tenantHeader: string | undefined; readonly tenants: readonly string[] },
): CommandReading {
  const record = recordOf(value);
  if (record === null) return { kind: 'dead-letter', code: 'NOT_JSON', reason: 'The value is not a JSON object' };
  const owner = tenantOf({ header: about.tenantHeader, field: record['tenant'], known: about.tenants });
  if (!owner.ok) return { kind: 'dead-letter', code: owner.code, reason: `The tenant is ${owner.why}` };
  const { tenant } = owner;
  const { commandId, command } = record;
  if (!isIdentityText(commandId)) {
    return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason: 'commandId is not a usable text', tenant };
  }
  const identity = {
    tenant,
    commandId,
    command: isIdentityText(command) ? command : '',
    orderNumber: readOrderNumber(record['orderNumber']),
    contentHash: contentHash(record),
  };
  return { kind: 'command', identity };
}

/** A command after validation (contract, "Order commands"). */
export type CommandContent =
  /** Sets a status by PATCH. */
  | { readonly kind: 'set-status'; readonly target: number }
  /** Stopped by Gondola; `reason` is the first of what is wrong. */
  | { readonly kind: 'invalid'; readonly reason: Reason; readonly errors: readonly FieldReason[] };

/** What a command whose identity was readable asks for. */
export function readCommandContent(value: Uint8Array | null, language: Language): CommandContent {
  const record = recordOf(value) ?? {};
  const name = record['command'];
  if (isOrderCommandName(name) && name !== 'StartPreparation') return notSupported(name, language);
  const reading = readOrderCommand(record, language);
  if (!reading.ok) return invalid(reading.errors);
  return { kind: 'set-status', target: ORDER_COMMAND_TARGETS.StartPreparation };
}

const NOT_SUPPORTED: Readonly<Record<Language, (command: string) => string>> = {
  'pt-BR': (command) => `O comando "${command}" está previsto no contrato, mas esta versão ainda não o executa.`,
  en: (command) => `The command "${command}" is part of the contract, but this version does not carry it out yet.`,
};

function notSupported(command: string, language: Language): CommandContent {
  const hint = NOT_SUPPORTED[language](command);
  return invalid([fieldReason('COMMAND_UNKNOWN', language, { field: 'command' }, { hint })]);
}

function invalid(errors: readonly FieldReason[]): CommandContent {
  const [first] = errors;
  if (first === undefined) throw new Error('A command was invalid without an error');
  const { skuExternalReference: _none, ...reason } = first;
  return { kind: 'invalid', reason, errors };
}

function recordOf(value: Uint8Array | null): JsonRecord | null {
  const record = value === null ? undefined : tryParseWithDigits(decodeUtf8(value) ?? '');
  return isPlainRecord(record) ? record : null;
}
