import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { FieldType } from '../schemas/field.decorators.ts';
import { isOfType, isWithinLimits } from './field-checks.ts';
import { type JsonValue, numberFromToken } from '../json/json-digits.ts';

const VALUES: Readonly<Record<string, JsonValue>> = {
  text: 'abc',
  empty: '',
  guid: '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f10',
  integer: 7,
  integerText: '7',
  manyDigits: numberFromToken('12345678901234567890'),
  decimal: 0.1,
  decimalText: '0.10',
  exponent: numberFromToken('1e2'),
  zeroFraction: numberFromToken('100001.0'),
  comma: '0,1',
  yes: true,
  date: '2026-11-20',
  time: '2026-11-20T10:00:00-03:00',
  localTime: '2026-11-20T10:00:00',
  unit: 'Kg',
  list: [{}],
  mixedList: [{}, 1],
  object: {},
};

describe('field spec', () => {
  it.each<[FieldType, string[]]>([
    ['text', ['text', 'empty', 'guid', 'integerText', 'decimalText', 'comma', 'date', 'time', 'localTime', 'unit']],
    ['identity', ['text', 'guid', 'integerText', 'decimalText', 'comma', 'date', 'time', 'localTime', 'unit']],
    ['guid', ['guid']],
    ['integer', ['integer', 'integerText', 'manyDigits', 'exponent', 'zeroFraction']],
    ['decimal', ['integer', 'integerText', 'manyDigits', 'decimal', 'decimalText', 'exponent', 'zeroFraction']],
    ['boolean', ['yes']],
    ['date', ['date']],
    ['time', ['time']],
    ['unit', ['unit']],
    ['order-number', ['integer', 'integerText', 'exponent', 'zeroFraction']],
    ['version', ['integer', 'integerText', 'exponent', 'zeroFraction']],
    ['list', ['list']],
    ['any', Object.keys(VALUES)],
  ])('takes for %s exactly %j (rule 20)', (type, names) => {
    expect(Object.keys(VALUES).filter((name) => isOfType({ type }, VALUES[name] ?? null))).toEqual(names);
  });

  it("lets null pass but for a list: null and absent are the platform's to tell apart (rule 21)", () => {
    expect(isOfType({ type: 'decimal', above: 0 }, null)).toBe(true);
    expect(isWithinLimits({ type: 'decimal', above: 0 }, null)).toBe(true);
    expect(isOfType({ type: 'list' }, null)).toBe(false);
  });

  it('counts characters, not bytes or halves of them (rule 20)', () => {
    const spec = { type: 'text', minLength: 3, maxLength: 5 } as const;
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'ç', '€', '😀'), { maxLength: 8 }), (characters) => {
        const within = characters.length >= 3 && characters.length <= 5;
        expect(isWithinLimits(spec, characters.join(''))).toBe(within);
      }),
    );
  });

  it('takes "more than 0" to exclude 0 however it is written, and ">= 0" to include it (rule 20)', () => {
    for (const zero of [0, '0', '0.00', numberFromToken('0.0'), numberFromToken('-0')]) {
      expect(isWithinLimits({ type: 'decimal', above: 0 }, zero)).toBe(false);
      expect(isWithinLimits({ type: 'decimal', min: 0 }, zero)).toBe(true);
    }
    expect(isWithinLimits({ type: 'decimal', above: 0 }, '0.000000000000000001')).toBe(true);
    expect(isWithinLimits({ type: 'integer', min: 0 }, -1)).toBe(false);
  });
});
