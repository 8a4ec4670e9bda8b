import { offsetMoment, ticksToUtcText } from '../time.ts';

/**
 * The JSON text that registers an invoice (platform document, "Invoice registration"; rules 13, 14): the date in UTC
 * with Z, the value in integer cents. The same command always gives the same text, as a registration may only be
 * repeated identically (rule 15).
 *
 * @param invoice of a `RegisterInvoice` that was read; `issuedAt` has an offset
 */
export function invoiceRegistration(invoice: {
  readonly number: string;
  readonly issuedAt: string;
  readonly valueCents: number;
}): string {
  const issued = offsetMoment(invoice.issuedAt);
  if (issued === null) throw new TypeError('The date of issue was not judged before');
  return JSON.stringify({
    number: invoice.number,
    issuanceDate: ticksToUtcText(issued.ticks),
    value: invoice.valueCents,
  });
}
