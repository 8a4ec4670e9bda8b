import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { InvoiceBody, orderInvoicedBlock } from './invoice.ts';

function read(value: string) {
  return InvoiceBody.safeParse(JSON.parse(`{"number":"1","issuanceDate":"2026-11-20T13:15:00Z","value":${value}}`));
}

function cents(value: string): number | undefined {
  return read(value).data?.valueCents;
}

describe('the value of an invoice', () => {
  it('is integer cents', () => {
    assert(
      property(integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(cents(String(value))).toBe(value);
      }),
    );
  });

  it.each([
    ['187.45', 187],
    ['18745.99', 18745],
    ['0.9', 0],
    ['1e2', 100],
    ['18745.00', 18745],
  ])('%s is truncated to %d', (written, truncated) => {
    expect(cents(written)).toBe(truncated);
  });

  it.each(['-1', '-0.01', '1e99', 'null', '"18745"', '[]', 'true'])('is not %s', (written) => {
    expect(read(written)).toMatchObject({ success: false, error: { issues: [{ path: ['value'] }] } });
  });
});

it.each([
  ['', false],
  [' ', true],
])('the number %j of an invoice is accepted: %s, because it must only not be empty', (number, isAccepted) => {
  const body = { number, issuanceDate: '2026-11-20T13:15:00Z', value: 1 };
  expect(InvoiceBody.safeParse(body).success).toBe(isAccepted);
});

it('a registered invoice in the order has the order’s formats: local time, money in currency units', () => {
  const invoice = { number: '1', issuanceDate: '2026-11-20T01:15:00Z', valueCents: 18745 };
  expect(JSON.stringify(orderInvoicedBlock(invoice))).toBe(
    '{"number":"1","issuanceDate":"2026-11-19T22:15:00.0000000","value":187.45}',
  );
});
