import { OrderCommandDto } from '../dto/order-command.dto.ts';
import { fieldReason, given, listed, nearestHint } from '../fields/field-reasons.ts';
import { limitText } from '../fields/field-texts.ts';
import { type RecordShape, shapeErrors, shapeOf, tableErrors } from '../fields/record-shape.ts';
import { contentErrors } from '../files/content-reference.ts';
import { isPlainRecord, type JsonRecord } from '../json/json-digits.ts';
import { longNumberErrors } from '../json/long-numbers.ts';
import { MAX_ITEMS } from '../limits.ts';
import type { FieldReason, Language } from '../results/reason-codes.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { MAX_PARENT_ID_LENGTH } from './derived-command.ts';
import { ORDER_COMMAND_DTOS, type OrderCommandName } from './order-command-dtos.ts';
import { pickingErrors } from './picked-item-errors.ts';

/** How a tenant's commands are read, and in which language their problems are described. */
export interface TenantReading {
  readonly language: Language;
  /** A tenant's names of units (ERP's → platform's), beside the platform's own. */
  readonly units: Readonly<Record<string, UnitName>>;
}

type Problems = (record: JsonRecord, reading: TenantReading, found: number) => readonly FieldReason[];

const ANY_COMMAND = shapeOf(OrderCommandDto);
const NAMES = Object.keys(ORDER_COMMAND_DTOS) as OrderCommandName[];
const SHAPES = Object.fromEntries(
  Object.entries(ORDER_COMMAND_DTOS).map(([name, dto]) => [name, shapeOf(dto)]),
) as Readonly<Record<OrderCommandName, RecordShape>>;

/** What its table cannot express. */
const PROBLEMS: Readonly<Partial<Record<OrderCommandName, Problems>>> = {
  ReportPicking: itemProblems,
  RegisterInvoice: pdfProblems,
  AttachInvoicePdf: pdfProblems,
};

/**
 * What is wrong with an order command whose tenant and `commandId` are readable: one that nobody knows is
 * `COMMAND_UNKNOWN`; then come the errors of its fields, unknown keys included, in the tenant's language, as many as
 * are `listed`. Whether the order allows it is not judged here.
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
  return typeof name === 'string' && Object.hasOwn(ORDER_COMMAND_DTOS, name);
}

function itemProblems({ items }: JsonRecord, { language, units }: TenantReading, found: number): FieldReason[] {
  const objects = Array.isArray(items) ? items.filter((item) => isPlainRecord(item)) : [];
  // A list that is too long has one error as a whole.
  return objects.length > MAX_ITEMS ? [] : pickingErrors(objects, language, units, found);
}

/**
 * What the upload that is derived could not bear. Whether the content can be attached is the file gateway's to say,
 * before anything is registered (rule 33).
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
