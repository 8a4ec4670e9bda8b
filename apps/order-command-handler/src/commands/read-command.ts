import { type CommandReading, parseCommand, readCommandIdentity } from '@gondola/shared/commands/command-identity';
import { OrderCommandDto } from '@gondola/shared/dto/order-command.dto';
import { fieldReason, given, listed, nearestHint } from '@gondola/shared/fields/field-reasons';
import { judged, shapeErrors, shapeOf, tableErrors } from '@gondola/shared/fields/record-shape';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { longNumberErrors } from '@gondola/shared/json/long-numbers';
import type { FieldReason, Language } from '@gondola/shared/results/reason-codes';
import type { JudgedCommand, TenantReading } from './order-command.ts';
import { ORDER_COMMAND_NAMES, orderCommand, orderCommandQueue } from './order-commands.ts';
import { commandLane } from '../orders/order-lane.ts';
import { readOrderNumber } from '../notifications/read-notification.ts';

const ANY_COMMAND = shapeOf(OrderCommandDto);

/** What says whose command it is and which; its content is judged in its turn. */
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

/** What a command whose identity was readable asks for. */
export function readCommand(value: Uint8Array | null, reading: TenantReading): JudgedCommand {
  return judgeCommand(parseCommand(value) ?? {}, reading);
}

/**
 * A command that nobody knows is `COMMAND_UNKNOWN`; then come the errors of its fields, unknown keys included, in the
 * tenant's language, as many as are `listed`.
 */
export function judgeCommand(record: JsonRecord, reading: TenantReading): JudgedCommand {
  const { language, units } = reading;
  const name = record['command'];
  const long = longNumberErrors(record, language);
  if (long.length > 0) return invalid(long, language);
  if (typeof name !== 'string' || name === '') {
    return invalid(tableErrors(record, ANY_COMMAND, language), language);
  }
  const definition = orderCommand(name);
  if (definition === null) {
    return unknown(name, language);
  }
  const own = shapeErrors(record, definition.shape, language);
  const errors = [...own, ...definition.problems(record, reading, own.length)];
  if (errors.length > 0) return invalid(errors, language);
  const orderNumber = judged(readOrderNumber(record['orderNumber']));
  return { kind: 'valid', definition, asked: definition.read(record, units), orderNumber };
}

function unknown(name: string, language: Language): JudgedCommand {
  const more = { params: given(name, language), hint: nearestHint(name, ORDER_COMMAND_NAMES, language) };
  return invalid([fieldReason('COMMAND_UNKNOWN', language, { field: 'command' }, more)], language);
}

function invalid(all: readonly FieldReason[], language: Language): JudgedCommand {
  const errors = listed(all, language);
  const [first] = errors;
  if (first === undefined) throw new Error('A command was invalid without an error');
  const { skuExternalReference: _none, ...reason } = first;
  return { kind: 'invalid', reason, errors };
}
