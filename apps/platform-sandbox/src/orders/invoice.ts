import { z } from 'zod';
import { money, type Json } from '../values/exact-json.ts';
import { localDateTime, ticksOf } from '../values/local-time.ts';

const UTC_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/**
 * Body of `PUT /v1/Orders/invoiced/{orderNumber}` (docs/platform.md, "Invoice registration"). `value` is integer
 * cents; a fraction is truncated, not rounded.
 */
export const InvoiceBody = z
  .object({
    number: z.string().min(1, 'must not be empty'),
    issuanceDate: z
      .string()
      .refine(
        (text) => UTC_DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
        'must be an ISO 8601 date and time in UTC that ends in Z',
      ),
    value: z.number().min(0).transform(Math.trunc).refine(Number.isSafeInteger, 'must be a number of cents'),
  })
  .transform(({ number, issuanceDate, value }) => ({ number, issuanceDate, valueCents: value }));

export type Invoice = Readonly<z.output<typeof InvoiceBody>>;

export function isSameInvoice(one: Invoice, other: Invoice): boolean {
  return one.number === other.number && one.issuanceDate === other.issuanceDate && one.valueCents === other.valueCents;
}

/** `orderInvoiced` of an order payload, by the rules of that payload: local time, money in currency units. */
export function orderInvoicedBlock(invoice: Invoice | null): Json {
  if (invoice === null) return null;
  const { number, issuanceDate, valueCents } = invoice;
  return { number, issuanceDate: localDateTime(ticksOf(Date.parse(issuanceDate))), value: money(valueCents) };
}
