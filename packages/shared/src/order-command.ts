import { ORDER_COMMAND_FIELDS, OrderCommandDto } from './dto/order-command.dto.ts';
import { StartPreparationDto } from './dto/start-preparation.dto.ts';
import { brokenConstraints } from './dto/validate-copy.ts';
import { MAX_REPORTED, brokenReason, fieldReason, unknownReason } from './field-reasons.ts';
import type { FieldTable } from './field-spec.ts';
import { fieldWords } from './field-texts.ts';
import { orderNumberText } from './identities.ts';
import type { JsonRecord } from './json-digits.ts';
import { nearestName } from './known-names.ts';
import type { FieldReason, Language } from './reason-codes.ts';

interface CommandShape {
  readonly dto: new () => object;
  readonly table: FieldTable;
}

const BASE: CommandShape = { dto: OrderCommandDto, table: ORDER_COMMAND_FIELDS };

/** The commands that can be carried out, each with its DTO and the table behind it. */
const COMMANDS = {
  StartPreparation: { dto: StartPreparationDto, table: ORDER_COMMAND_FIELDS },
} as const satisfies Record<string, CommandShape>;

export interface OrderCommand {
  readonly command: keyof typeof COMMANDS;
  readonly commandId: string;
  readonly orderNumber: number;
  readonly requestedBy: string | null;
}

export type OrderCommandReading =
  | { readonly ok: true; readonly command: OrderCommand }
  | { readonly ok: false; readonly errors: readonly FieldReason[] };

/**
 * Reads an order command whose `commandId` and tenant are readable already. A command that nobody knows is `COMMAND_UNKNOWN`; then come
 * the errors of its fields, unknown keys included, in the tenant's language, at most 100.
 */
export function readOrderCommand(record: JsonRecord, language: Language): OrderCommandReading {
  const name = record['command'];
  if (typeof name === 'string' && name !== '' && !isCommand(name)) {
    const hint = fieldWords(language).nearest(nearestName(name, Object.keys(COMMANDS)));
    return { ok: false, errors: [fieldReason('COMMAND_UNKNOWN', language, { field: 'command' }, { hint })] };
  }
  if (!isCommand(name)) return { ok: false, errors: brokenFields(record, BASE, language) };
  const errors = [
    ...brokenFields(record, COMMANDS[name], language),
    ...unknownFields(record, COMMANDS[name], language),
  ];
  if (errors.length > 0) return { ok: false, errors: errors.slice(0, MAX_REPORTED) };
  const { commandId, requestedBy } = record;
  return {
    ok: true,
    command: {
      command: name,
      commandId: typeof commandId === 'string' ? commandId : '',
      orderNumber: Number(orderNumberText(record['orderNumber'])),
      requestedBy: typeof requestedBy === 'string' ? requestedBy : null,
    },
  };
}

function brokenFields(record: JsonRecord, { dto, table }: CommandShape, language: Language): FieldReason[] {
  return Array.from(brokenConstraints(dto, table, record, 'update'), ([field, constraint]) =>
    brokenReason(constraint, language, { field }, { spec: table[field] ?? { type: 'any' }, value: record[field] }),
  );
}

function unknownFields(record: JsonRecord, { table }: CommandShape, language: Language): FieldReason[] {
  const names = Object.keys(table);
  return Object.keys(record)
    .filter((key) => !Object.hasOwn(table, key))
    .map((key) => unknownReason(key, language, { field: key }, { names, isProduct: false }));
}

function isCommand(name: unknown): name is keyof typeof COMMANDS {
  return typeof name === 'string' && Object.hasOwn(COMMANDS, name);
}
