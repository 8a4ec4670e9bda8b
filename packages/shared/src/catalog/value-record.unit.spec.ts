import { describe, expect, it } from '@jest/globals';
import { parseWithDigits, stringifyWithDigits, type JsonRecord } from '../json/json-digits.ts';
import { readValueRecord } from './value-record.ts';

const PRICE = { externalReference: '4711-1', data: { price: '39.90' } };
const errorsOf = (more: JsonRecord) =>
  readValueRecord({ ...PRICE, ...more }, 'en').errors.map(({ code, field, hint }) => [code, field, hint]);

describe('a price, warehouse or stock', () => {
  it('passes its data on unchanged, with any keys and digits (rule 30)', () => {
    const text = '{"externalReference":"4711-1","data":{"price":39.90,"x":{"skuID":null},"list":[1.10]}}';
    const { data, errors } = readValueRecord(parseWithDigits(text) as JsonRecord, 'en');
    expect(errors).toEqual([]);
    expect(stringifyWithDigits(data)).toBe('{"price":39.90,"x":{"skuID":null},"list":[1.10]}');
  });

  it('is an absolute value, so that only upsert is valid', () => {
    expect(errorsOf({ op: 'upsert' })).toEqual([]);
    expect(errorsOf({ op: 'delete' })).toEqual([['COMMAND_UNKNOWN', 'op', undefined]]);
  });

  it('is invalid without data that is an object, and with an unknown key, whose nearest name is a hint (rule 20)', () => {
    expect(readValueRecord({ externalReference: '1' }, 'en').errors).toMatchObject([
      { code: 'FIELD_REQUIRED', field: 'data' },
    ]);
    expect(errorsOf({ data: '39.90' })).toMatchObject([['FIELD_TYPE', 'data', undefined]]);
    expect(errorsOf({ polcy: 'p' })).toEqual([['FIELD_UNKNOWN', 'polcy', expect.stringContaining('policy')]]);
    expect(errorsOf({ warehouse: 7 })).toMatchObject([['FIELD_TYPE', 'warehouse', undefined]]);
  });
});
