import { fieldReason, given, listed, nearestHint } from '../fields/field-reasons.ts';
import { limitText } from '../fields/field-texts.ts';
import { type RecordShape, shapeErrors, shapeOf, tableErrors } from '../fields/record-shape.ts';
import { contentErrors } from '../files/content-reference.ts';
import { isPlainRecord, type JsonRecord } from '../json/json-digits.ts';
import { longNumberErrors } from '../fields/long-numbers.ts';
import { MAX_ITEMS } from '../limits.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { MAX_PARENT_ID_LENGTH } from './derived-command.ts';
import { ORDER_COMMANDS, OrderCommandDto, type OrderCommandName } from './order-commands.dto.ts';
import { invoiceKeyErrors } from './invoice-key-errors.ts';
import { pickingErrors } from './picked-item-errors.ts';

/** Settings of a tenant for reading its commands and describing their errors. */
export interface TenantReading {
  readonly language: Language;
  /** A tenant's names of units (ERP's → platform's), in addition to the platform's own. */
  readonly units: Readonly<Record<string, UnitName>>;
}

type Problems = (record: JsonRecord, reading: TenantReading, found: number) => readonly FieldReason[];

const ANY_COMMAND = shapeOf(OrderCommandDto);
const NAMES = Object.keys(ORDER_COMMANDS) as OrderCommandName[];
const SHAPES = Object.fromEntries(
  Object.entries(ORDER_COMMANDS).map(([name, { dto }]) => [name, shapeOf(dto)]),
) as Readonly<Record<OrderCommandName, RecordShape>>;

/** Checks of commands by rules that their tables cannot express. */
const PROBLEMS: Readonly<Partial<Record<OrderCommandName, Problems>>> = {
  ReportPicking: itemProblems,
  RegisterInvoice: (record, reading) => [
    ...pdfProblems(record, reading),
    ...invoiceKeyErrors(record, reading.language),
  ],
  AttachInvoicePdf: pdfProblems,
};

/**
 * Errors of an order command whose tenant and `commandId` are readable. An unknown command is `COMMAND_UNKNOWN`;
 * otherwise these are the errors of its fields, including unknown keys, in the tenant's language, limited by
 * `listed`. Does not check whether the order's state allows the command.
 */
export function orderCommandErrors(record: JsonRecord, reading: TenantReading): readonly FieldReason[] {
  return listed(allErrors(record, reading), reading.language);
}

function allErrors(record: JsonRecord, reading: TenantReading): readonly FieldReason[] {
  const { language } = reading;
  const name = record['command'];
  const long = longNumberErrors(record, language);
  if (long.length > 0) return long;
  if (typeof name !== 'string' || name === '') return tableErrors(record, ANY_COMMAND, language);
  if (!isOrderCommandName(name)) {
    const more = { params: given(name, language), hint: nearestHint(name, NAMES, language) };
    return [fieldReason('COMMAND_UNKNOWN', language, { field: 'command' }, more)];
  }
  const own = shapeErrors(record, SHAPES[name], language);
  return [...own, ...(PROBLEMS[name]?.(record, reading, own.length) ?? [])];
}

export function isOrderCommandName(name: unknown): name is OrderCommandName {
  return typeof name === 'string' && Object.hasOwn(ORDER_COMMANDS, name);
}

function itemProblems({ items }: JsonRecord, { language, units }: TenantReading, found: number): FieldReason[] {
  const objects = Array.isArray(items) ? items.filter((item) => isPlainRecord(item)) : [];
  // A list that is too long is reported as a single error.
  return objects.length > MAX_ITEMS ? [] : pickingErrors(objects, language, units, found);
}

/**
 * Errors that the derived upload would have. The file gateway decides whether the content can be attached, before
 * anything is registered (rule 33).
 */
function pdfProblems({ commandId, pdf }: JsonRecord, { language }: TenantReading): FieldReason[] {
  const isTooLong = isPlainRecord(pdf) && typeof commandId === 'string' && commandId.length > MAX_PARENT_ID_LENGTH;
  const limit = limitText({ type: 'text', maxLength: MAX_PARENT_ID_LENGTH }, language);
  return [
    ...(isTooLong
      ? [fieldReason('LIMIT', language, { field: 'commandId' }, { params: { limit, ...given(commandId, language) } })]
      : []),
    ...contentErrors(pdf, language, { prefix: 'pdf.' }),
  ];
}
