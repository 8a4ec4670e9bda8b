import { BodyFields, textNotEmpty, type Reading } from '../values/body-fields.ts';
import { parseDecimal, truncated } from '../values/decimal.ts';
import { money, numberText, type Json } from '../values/exact-json.ts';
import { localDateTime, ticksOf } from '../values/local-time.ts';

export interface Invoice {
  readonly number: string;
  /** As it was sent: ISO 8601 UTC with Z. */
  readonly issuanceDate: string;
  readonly valueCents: number;
}

const UTC_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/**
 * Reads the body of `PUT /v1/Orders/invoiced/{orderNumber}` (docs/platform.md, "Invoice registration"). `value` is
 * integer cents; a fraction is cut off, not rounded.
 */
export function readInvoice(body: Json): Reading<Invoice> {
  const fields = new BodyFields(body);
  return fields.reading({
    number: fields.field('number', textNotEmpty, 'must be a text that is not empty'),
    issuanceDate: fields.field(
      'issuanceDate',
      (value) => (isUtcDateTime(value) ? value : undefined),
      'must be an ISO 8601 date and time in UTC that ends in Z',
    ),
    valueCents: fields.field('value', centsOf, 'must be a number of cents of at least 0'),
  });
}

export function isSameInvoice(one: Invoice, other: Invoice): boolean {
  return one.number === other.number && one.issuanceDate === other.issuanceDate && one.valueCents === other.valueCents;
}

/** `orderInvoiced` of an order payload, by the rules of that payload: local time, money in currency units. */
export function orderInvoicedBlock(invoice: Invoice | null): Json {
  if (invoice === null) return null;
  const { number, issuanceDate, valueCents } = invoice;
  return { number, issuanceDate: localDateTime(ticksOf(Date.parse(issuanceDate))), value: money(valueCents) };
}

function isUtcDateTime(value: Json | undefined): value is string {
  return typeof value === 'string' && UTC_DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
}

function centsOf(value: Json | undefined): number | undefined {
  const decimal = parseDecimal(numberText(value) ?? '');
  const cents = decimal?.gte(0) ? truncated(decimal) : undefined;
  return Number.isSafeInteger(cents) ? cents : undefined;
}
