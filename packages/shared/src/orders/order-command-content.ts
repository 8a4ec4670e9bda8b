import { contentReference, type ContentReference } from '../files/content-reference.ts';
import { decimalTextOf, decimalTextToNumberToken } from '../fields/digits.ts';
import { type Digits, type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { moneyText, toCents } from '../units-and-money/money.ts';
import type { OrderCommandName } from './order-command-names.ts';
import type { PickedLine } from './picking-items.ts';
import { pickedLines } from './picking-report.ts';
import { judged } from '../fields/record-shape.ts';
import type { UnitName } from '../units-and-money/units.ts';

export interface ReportPicking {
  readonly command: 'ReportPicking';
  /** The whole total with freight, with the ERP's own digits; `moneyText` compares. */
  readonly finalOrderPrice: number | Digits;
  readonly items: readonly PickedLine[];
}

export interface RegisterInvoice {
  readonly command: 'RegisterInvoice';
  readonly number: string;
  /** With an offset. */
  readonly issuedAt: string;
  /** Decimal text in currency units, and the same in cents (rule 14). */
  readonly value: string;
  readonly valueCents: number;
  readonly pdf: ContentReference | null;
  readonly series: string | null;
  readonly model: string | null;
  readonly accessKey: string | null;
}

export interface AttachInvoicePdf {
  readonly command: 'AttachInvoicePdf';
  readonly pdf: ContentReference;
}

export interface StatusCommand {
  readonly command: 'MarkReady' | 'Ship' | 'ConfirmDelivery' | 'ReportDeliveryFailure' | 'RegisterReturn';
  readonly reason: string | null;
  readonly carrier: string | null;
  readonly tracking: string | null;
}

export interface CancelOrder {
  readonly command: 'CancelOrder';
  readonly reason: string;
}

export interface WithdrawCommand {
  readonly command: 'WithdrawCommand';
  /** A `commandId`. */
  readonly withdraws: string;
}

/** What a command says besides what all of them say (contract, "Order commands"). */
export type OrderCommandContent =
  | { readonly command: 'StartPreparation' | 'RefreshOrder' | 'ReleaseOrder' }
  | ReportPicking
  | RegisterInvoice
  | AttachInvoicePdf
  | StatusCommand
  | CancelOrder
  | WithdrawCommand;

type TenantUnits = Readonly<Record<string, UnitName>>;

const CONTENT_OF = {
  StartPreparation: () => ({ command: 'StartPreparation' }),
  RefreshOrder: () => ({ command: 'RefreshOrder' }),
  ReleaseOrder: () => ({ command: 'ReleaseOrder' }),
  ReportPicking: (record, units) => ({
    command: 'ReportPicking',
    finalOrderPrice: judged(decimalTextToNumberToken(record['finalOrderPrice'])),
    items: pickedLines(itemsOf(record), units),
  }),
  RegisterInvoice: registerInvoice,
  AttachInvoicePdf: ({ pdf }) => ({ command: 'AttachInvoicePdf', pdf: judged(contentReference(pdf)) }),
  MarkReady: (record) => statusCommand('MarkReady', record),
  Ship: (record) => statusCommand('Ship', record),
  ConfirmDelivery: (record) => statusCommand('ConfirmDelivery', record),
  ReportDeliveryFailure: (record) => statusCommand('ReportDeliveryFailure', record),
  RegisterReturn: (record) => statusCommand('RegisterReturn', record),
  CancelOrder: ({ reason }) => ({ command: 'CancelOrder', reason: judged(textOrNull(reason)) }),
  WithdrawCommand: ({ withdraws }) => ({ command: 'WithdrawCommand', withdraws: judged(textOrNull(withdraws)) }),
} as const satisfies Record<OrderCommandName, (record: JsonRecord, units: TenantUnits) => OrderCommandContent>;

/** The content of a command whose fields were judged. */
export function orderCommandContent(
  command: OrderCommandName,
  record: JsonRecord,
  units: TenantUnits,
): OrderCommandContent {
  return CONTENT_OF[command](record, units);
}

/** The items of a `ReportPicking` that are objects; a list with others was judged already. */
export function itemsOf({ items }: JsonRecord): readonly JsonRecord[] {
  return Array.isArray(items) ? items.filter((item: JsonValue) => isPlainRecord(item)) : [];
}

function statusCommand(command: StatusCommand['command'], record: JsonRecord): StatusCommand {
  return {
    command,
    reason: textOrNull(record['reason']),
    carrier: textOrNull(record['carrier']),
    tracking: textOrNull(record['tracking']),
  };
}

function registerInvoice(record: JsonRecord): RegisterInvoice {
  const cents = toCents(record['value']);
  return {
    command: 'RegisterInvoice',
    number: judged(codeText(record['number'])),
    issuedAt: judged(textOrNull(record['issuedAt'])),
    value: judged(moneyText(record['value'])),
    valueCents: judged(cents.ok ? cents.cents : null),
    pdf: contentReference(record['pdf']),
    series: codeText(record['series']),
    model: codeText(record['model']),
    accessKey: textOrNull(record['accessKey']),
  };
}

function codeText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : decimalTextOf(value);
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
