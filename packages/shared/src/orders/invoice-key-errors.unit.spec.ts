import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isAccessKey } from '../fields/trade-codes.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import { orderCommandErrors } from './order-command-errors.ts';

/** An access key with its check digit. */
function keyOf({ month = '2611', model = '55', series = '1', number = '4501' }): string {
  const body = `35${month}12345678000195${model}${series.padStart(3, '0')}${number.padStart(9, '0')}100004501`;
  return Array.from('0123456789', (digit) => body + digit).find(isAccessKey)!;
}

const INVOICE = {
  commandId: 'c',
  command: 'RegisterInvoice',
  orderNumber: 1,
  number: '4501',
  issuedAt: '2026-11-20T14:05:00-03:00',
  value: '62.75',
};

function problemsOf(fields: JsonRecord): string[][] {
  return orderCommandErrors({ ...INVOICE, ...fields }, { language: 'en', units: {} }).map(
    ({ field, code, message }) => [field, code, message],
  );
}

const mismatch = (field: string, given: string, expected: string) => [
  field,
  'ACCESS_KEY_MISMATCH',
  `The field "${field}" is ${given}, but the access key of the NF-e says ${expected}. Check the key and the data of the invoice.`,
];

describe('an invoice with the access key', () => {
  it.each<[string, JsonRecord]>([
    ['its own', {}],
    ['a number with leading zeros', { number: '000004501' }],
    ['a number as a DANFE prints it', { number: '000.004.501' }],
    ['a number as JSON', { number: 4501 }],
    ['a number with its series', { number: '4501/1' }],
    ['a series with leading zeros, and its model', { series: '001', model: '55' }],
    ['a series in words', { series: 'única', model: 'NF-e' }],
    ['no series', { series: null, model: null }],
  ])('%s is valid', (_, fields) => {
    expect(problemsOf({ accessKey: keyOf({}), ...fields })).toEqual([]);
  });

  it.each<[string, JsonRecord, string[][]]>([
    ['of another number', { number: '4502' }, [mismatch('number', '"4502"', '4501')]],
    ['of another number in JSON', { number: 45010 }, [mismatch('number', '45010', '4501')]],
    ['and a number without digits', { number: ' ' }, [mismatch('number', '" "', '4501')]],
    ['of another series', { series: 2 }, [mismatch('series', '2', '1')]],
    ['of another model', { model: '65' }, [mismatch('model', '"65"', '55')]],
    [
      'of another month',
      { issuedAt: '2026-10-20T14:05:00-03:00' },
      [mismatch('issuedAt', '"2026-10-20T14:05:00-03:00"', '2026-11')],
    ],
    [
      'of another year',
      { issuedAt: '2025-11-20T14:05:00-03:00' },
      [mismatch('issuedAt', '"2025-11-20T14:05:00-03:00"', '2026-11')],
    ],
    [
      'of quite another invoice',
      { number: '1', series: '9' },
      [mismatch('number', '"1"', '4501'), mismatch('series', '"9"', '1')],
    ],
  ])('%s is invalid, with both values (rule 14)', (_, fields, expected) => {
    expect(problemsOf({ accessKey: keyOf({}), ...fields })).toEqual(expected);
  });

  it('is compared with no value that is wrong by itself', () => {
    expect(problemsOf({ accessKey: keyOf({}), number: '', issuedAt: '2026-13-01T00:00:00Z' })).toMatchObject([
      ['number', 'FIELD_REQUIRED', expect.anything()],
      ['issuedAt', 'FIELD_TYPE', expect.anything()],
    ]);
  });

  it.each([
    ['2026-12-01T01:59:59Z', ['2611', '2612']],
    ['2026-12-01T04:59:59Z', ['2611', '2612']],
    ['2026-12-01T05:00:00Z', ['2612']],
    ['2026-11-30T22:00:00-03:00', ['2611']],
    ['2026-11-30T23:30:00-05:00', ['2611', '2612']],
    ['2026-12-01T00:30:00-02:00', ['2611', '2612']],
    ['2026-12-31T23:59:59-03:00', ['2612', '2701']],
  ])('at the end of a month, %s, counts each month that it was in Brazil or in its text: %j', (issuedAt, months) => {
    const near = ['2610', '2611', '2612', '2701'];
    const fitting = near.filter((month) => problemsOf({ accessKey: keyOf({ month }), issuedAt }).length === 0);
    expect(fitting).toEqual(months);
  });

  it('agrees with its own number, series and month wherever in Brazil it was issued, however its time is written', () => {
    const seconds = fc.integer({ min: Date.UTC(2020, 0, 2) / 1000, max: Date.UTC(2039, 11, 30) / 1000 });
    fc.assert(
      fc.property(
        seconds,
        fc.integer({ min: 2, max: 5 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 999_999_999 }),
        fc.integer({ min: 0, max: 999 }),
        (second, zone, isUtc, number, series) => {
          const local = new Date((second - zone * 3600) * 1000).toISOString();
          const issuedAt = isUtc
            ? new Date(second * 1000).toISOString().replace('.000', '')
            : `${local.slice(0, 19)}-0${zone}:00`;
          const month = local.slice(2, 4) + local.slice(5, 7);
          const accessKey = keyOf({ month, series: String(series), number: String(number) });
          expect(problemsOf({ accessKey, issuedAt, number, series })).toEqual([]);
          expect(problemsOf({ accessKey, issuedAt, number: number + 1, series }).map(([field]) => field)).toEqual([
            'number',
          ]);
        },
      ),
    );
  });
});
