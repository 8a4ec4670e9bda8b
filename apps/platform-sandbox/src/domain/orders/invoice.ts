import type { FieldProblem } from '../field-problem.ts';
import { parseDecimal, truncated } from '../decimal.ts';
import { isJsonObject, keyOf, numberText, type Json, type JsonObject } from '../exact-json.ts';
import { localDateTime, ticksOf } from '../local-time.ts';
import { money } from './money-json.ts';

/** An invoice as it was registered. */
export interface Invoice {
  readonly number: string;
  /** As it was sent: ISO 8601 UTC with Z. */
  readonly issuanceDate: string;
  readonly valueCents: number;
}

export type InvoiceReading =
  | { readonly kind: 'valid'; readonly invoice: Invoice }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

const UTC_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/**
 * Reads the body of `PUT /v1/Orders/invoiced/{orderNumber}` (docs/platform.md, "Invoice registration"). `value` is
 * integer cents; a fraction is cut off, not rounded.
 */
export function readInvoice(body: Json): InvoiceReading {
  const given: JsonObject = isJsonObject(body) ? body : {};
  const number = keyOf(given, 'number');
  const issuanceDate = keyOf(given, 'issuanceDate');
  const valueCents = centsOf(keyOf(given, 'value'));
  const problems: FieldProblem[] = [];
  if (typeof number !== 'string' || number.trim() === '') {
    problems.push({ field: 'number', message: 'must be a text that is not empty' });
  }
  if (!isUtcDateTime(issuanceDate)) {
    problems.push({ field: 'issuanceDate', message: 'must be an ISO 8601 date and time in UTC that ends in Z' });
  }
  if (valueCents === undefined) problems.push({ field: 'value', message: 'must be a number of cents of at least 0' });
  if (typeof number !== 'string' || !isUtcDateTime(issuanceDate) || valueCents === undefined || problems.length > 0) {
    return { kind: 'invalid', problems };
  }
  return { kind: 'valid', invoice: { number, issuanceDate, valueCents } };
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
  if (decimal === undefined || decimal.units < 0n) return undefined;
  const cents = Number(truncated(decimal));
  return Number.isSafeInteger(cents) ? cents : undefined;
}
