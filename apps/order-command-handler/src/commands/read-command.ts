import { type CommandReading, parseCommand, readCommandIdentity } from '@gondola/shared/commands/command-identity';
import { judged } from '@gondola/shared/fields/record-shape';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { orderCommandErrors, type TenantReading } from '@gondola/shared/orders/order-command-errors';
import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import type { JudgedCommand } from './order-command.ts';
import { orderCommand, orderCommandQueue } from './order-commands.ts';
import { commandLane } from '../facts/order-lane.ts';
import { readOrderNumber } from '../facts/order-lane.ts';

/** Reads tenant, id and name of a command; its content is validated in its lane's step. */
export function readOrderCommandIdentity(
  value: Uint8Array | null,
  about: { readonly tenantHeader: string | undefined; readonly tenants: readonly string[] },
): CommandReading {
  return readCommandIdentity(value, about, (record, { commandId, command }) => {
    const orderNumber = readOrderNumber(record['orderNumber']);
    return {
      lane: commandLane(orderNumber, commandId),
      queue: orderCommandQueue(command),
      entity: orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) },
    };
  });
}

/** Reads and validates the content of a command with a readable identity. */
export function readCommand(value: Uint8Array | null, reading: TenantReading): JudgedCommand {
  return judgeCommand(parseCommand(value) ?? {}, reading);
}

/**
 * Validates a command: an unknown name is `COMMAND_UNKNOWN`; then all errors of its fields, unknown keys included, in
 * the tenant's language, up to `listed`.
 */
export function judgeCommand(record: JsonRecord, reading: TenantReading): JudgedCommand {
  const errors = orderCommandErrors(record, reading);
  const { command } = record;
  const definition = typeof command === 'string' ? orderCommand(command) : null;
  if (errors.length > 0 || definition === null) return invalid(errors);
  const orderNumber = judged(readOrderNumber(record['orderNumber']));
  return { kind: 'valid', definition, asked: definition.read(record, reading.units), orderNumber };
}

function invalid(errors: readonly FieldReason[]): JudgedCommand {
  const [first] = errors;
  if (first === undefined) throw new Error('A command was invalid without an error');
  const { skuExternalReference: _none, ...reason } = first;
  return { kind: 'invalid', reason, errors };
}
