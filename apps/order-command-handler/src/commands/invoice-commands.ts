import { integerTextOf } from '@gondola/shared/json/digits';
import { judged } from '@gondola/shared/fields/record-shape';
import { type ContentReference, contentReference } from '@gondola/shared/files/content-reference';
import { type JsonRecord } from '@gondola/shared/json/json-digits';
import { ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import { offsetMoment, ticksToUtcText } from '@gondola/shared/time';
import { moneyText, toCents } from '@gondola/shared/units-and-money/money';
import { decideInvoice } from './decide-invoice.ts';
import { invoicedByCommand } from './known-invoice.ts';
import type { RegisteredInvoice } from '../orders/which-invoice.ts';
import { defineOrderCommand, type OrderCommandDefinition } from './order-command.ts';

/** Content of an invoice command. */
interface Invoice {
  /** The invoice, and the body to send; null if only a PDF is attached. */
  readonly registration: { readonly invoice: RegisteredInvoice; readonly body: string } | null;
  readonly pdf: ContentReference | null;
}

/** Both commands are one resumable saga. */
const INVOICE = {
  queue: 'main',
  deadline: 'invoiceMs',
  target: ORDER_INVOICED,
  skusOf: () => [],
  registrationOf: ({ registration }) => registration?.invoice ?? null,
  decide: ({ pdf }, turn, settings) => decideInvoice({ ...turn, pdf }, settings),
  change: ({ registration }, step) =>
    step === 'register' && registration !== null
      ? { kind: 'register', body: registration.body }
      : { kind: 'status', target: ORDER_INVOICED },
  publishedBy: {
    kind: 'result',
    heldStatus: (turn) => (invoicedByCommand(turn) === null ? null : ORDER_INVOICED),
  },
} as const satisfies Omit<OrderCommandDefinition<Invoice>, 'name' | 'read'>;

export const registerInvoice = defineOrderCommand<Invoice>({
  ...INVOICE,
  name: 'RegisterInvoice',
  read: (record) => ({ registration: registrationOf(record), pdf: contentReference(record['pdf']) }),
});

export const attachInvoicePdf = defineOrderCommand<Invoice>({
  ...INVOICE,
  name: 'AttachInvoicePdf',
  read: ({ pdf }) => ({ registration: null, pdf: judged(contentReference(pdf)) }),
});

/**
 * The JSON text that registers an invoice (docs/platform.md, "Invoice registration"; rules 13, 14): the date in UTC
 * with Z, the value in integer cents. The same command always gives the same text, as a registration may only be
 * repeated identically (rule 15).
 */
function registrationOf({ value, number, issuedAt }: JsonRecord): Invoice['registration'] {
  const cents = toCents(value);
  const invoice = {
    number: judged(typeof number === 'string' ? number : integerTextOf(number)),
    issuedAt: ticksToUtcText(judged(offsetMoment(judged(typeof issuedAt === 'string' ? issuedAt : null))).ticks),
    value: judged(moneyText(value)),
  };
  const body = JSON.stringify({
    number: invoice.number,
    issuanceDate: invoice.issuedAt,
    value: judged(cents.ok ? cents.cents : null),
  });
  return { invoice, body };
}
