import { contentErrors } from '../files/content-reference.ts';
import { MAX_PARENT_ID_LENGTH } from './derived-command.ts';
import { CANCEL_ORDER_FIELDS, CancelOrderDto } from '../dto/cancel-order.dto.ts';
import { ORDER_COMMAND_FIELDS, OrderCommandDto } from '../dto/order-command.dto.ts';
import {
  ATTACH_INVOICE_PDF_FIELDS,
  AttachInvoicePdfDto,
  REGISTER_INVOICE_FIELDS,
  RegisterInvoiceDto,
} from '../dto/register-invoice.dto.ts';
import { REPORT_PICKING_FIELDS, ReportPickingDto } from '../dto/report-picking.dto.ts';
import { STATUS_COMMAND_FIELDS, StatusCommandDto } from '../dto/status-command.dto.ts';
import { WITHDRAW_COMMAND_FIELDS, WithdrawCommandDto } from '../dto/withdraw-command.dto.ts';
import { fieldReason, listed } from '../fields/field-reasons.ts';
import { fieldWords, limitText } from '../fields/field-texts.ts';
import { orderNumberText } from '../topics/identities.ts';
import { type JsonRecord, isPlainRecord } from '../json/json-digits.ts';
import { nearestName } from '../fields/known-names.ts';
import { MAX_ITEMS } from '../limits.ts';
import { longNumberErrors } from '../json/long-numbers.ts';
import { type OrderCommandContent, itemsOf, orderCommandContent } from './order-command-content.ts';
import { ORDER_COMMAND_NAMES, type OrderCommandName, isOrderCommandName } from './order-command-names.ts';
import { pickingErrors } from './picking-report.ts';
import type { FieldReason, Language } from '../results/reason-codes.ts';
import { type RecordShape, shapeErrors, tableErrors } from '../fields/record-shape.ts';
import type { UnitName } from '../units-and-money/units.ts';

const BARE: RecordShape = { dto: OrderCommandDto, table: ORDER_COMMAND_FIELDS };
const STATUS: RecordShape = { dto: StatusCommandDto, table: STATUS_COMMAND_FIELDS };

/** The commands of the contract, each with its DTO and the table behind it. */
const COMMANDS: Readonly<Record<OrderCommandName, RecordShape>> = {
  StartPreparation: BARE,
  ReportPicking: { dto: ReportPickingDto, table: REPORT_PICKING_FIELDS },
  RegisterInvoice: { dto: RegisterInvoiceDto, table: REGISTER_INVOICE_FIELDS },
  AttachInvoicePdf: { dto: AttachInvoicePdfDto, table: ATTACH_INVOICE_PDF_FIELDS },
  MarkReady: STATUS,
  Ship: STATUS,
  ConfirmDelivery: STATUS,
  ReportDeliveryFailure: STATUS,
  RegisterReturn: STATUS,
  CancelOrder: { dto: CancelOrderDto, table: CANCEL_ORDER_FIELDS },
  RefreshOrder: BARE,
  ReleaseOrder: BARE,
  WithdrawCommand: { dto: WithdrawCommandDto, table: WITHDRAW_COMMAND_FIELDS },
};

export type OrderCommand = OrderCommandContent & {
  readonly commandId: string;
  readonly orderNumber: number;
  readonly requestedBy: string | null;
};

export type OrderCommandReading =
  | { readonly ok: true; readonly command: OrderCommand }
  | { readonly ok: false; readonly errors: readonly FieldReason[] };

/**
 * Reads an order command whose `commandId` and tenant are readable already. A command that nobody knows is
 * `COMMAND_UNKNOWN`; then come the errors of its fields, unknown keys included, in the tenant's language, as many as
 * are `listed`.
 *
 * @param units the tenant's names of units (ERP's → platform's), beside the platform's own
 */
export function readOrderCommand(
  record: JsonRecord,
  language: Language,
  units: Readonly<Record<string, UnitName>> = {},
): OrderCommandReading {
  const long = longNumberErrors(record, language);
  if (long.length > 0) return { ok: false, errors: listed(long, language) };
  const name = record['command'];
  if (typeof name === 'string' && name !== '' && !isOrderCommandName(name)) {
    const hint = fieldWords(language).nearest(nearestName(name, ORDER_COMMAND_NAMES));
    return { ok: false, errors: [fieldReason('COMMAND_UNKNOWN', language, { field: 'command' }, { hint })] };
  }
  if (!isOrderCommandName(name)) return { ok: false, errors: tableErrors(record, BARE, language) };
  const own = shapeErrors(record, COMMANDS[name], language);
  const errors = [...own, ...innerErrors(name, record, language, units, own.length)];
  if (errors.length > 0) return { ok: false, errors: listed(errors, language) };
  const { commandId, requestedBy } = record;
  return {
    ok: true,
    command: {
      ...orderCommandContent(name, record, units),
      commandId: typeof commandId === 'string' ? commandId : '',
      orderNumber: Number(orderNumberText(record['orderNumber'])),
      requestedBy: typeof requestedBy === 'string' ? requestedBy : null,
    },
  };
}

/** What is wrong with the records inside the command, and what the upload that it derives could not bear. */
function innerErrors(
  name: OrderCommandName,
  record: JsonRecord,
  language: Language,
  units: Readonly<Record<string, UnitName>>,
  found: number,
): FieldReason[] {
  if (name === 'ReportPicking') {
    const items = itemsOf(record);
    // A list that is too long is told as a whole.
    return items.length > MAX_ITEMS ? [] : pickingErrors(items, language, units, found);
  }
  if (name !== 'RegisterInvoice' && name !== 'AttachInvoicePdf') return [];
  const { commandId, pdf } = record;
  const isTooLong = isPlainRecord(pdf) && typeof commandId === 'string' && commandId.length > MAX_PARENT_ID_LENGTH;
  const limit = limitText({ type: 'text', maxLength: MAX_PARENT_ID_LENGTH }, language);
  return [
    ...(isTooLong ? [fieldReason('LIMIT', language, { field: 'commandId' }, { params: { limit } })] : []),
    ...contentErrors(pdf, language, { prefix: 'pdf.' }),
  ];
}
