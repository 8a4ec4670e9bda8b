import { describe, expect, it } from '@jest/globals';
import { LANGUAGES, REASON_CODES, reasonOf, reasonText } from './reason-codes.ts';
import { REASON_TEXTS_EN, REASON_TEXTS_PT } from './reason-texts.ts';

const CODES_OF_THE_CONTRACT =
  `ORDER_UNKNOWN NOT_PAID STATUS_NOT_SETTABLE ORDER_CANCELLED PRICE_MISMATCH TOO_MANY_DECIMALS NOT_PDF
  NOT_IMAGE SKU_UNKNOWN SKU_AMBIGUOUS UNIT_UNKNOWN FIELD_UNKNOWN FIELD_REQUIRED FIELD_TYPE LIMIT REFERENCE_MISSING REFERENCE_IMMUTABLE
  REFERENCE_CYCLE SLUG_TAKEN STALE_VERSION DUPLICATE_COMMAND COMMAND_UNKNOWN TENANT_UNKNOWN ALREADY_SENT UPLOAD_UNKNOWN
  CONTENT_NOT_ALLOWED CONFIRM_REQUIRED NOT_JSON IDENTITY_MISSING PDF_MISSING PLATFORM_REFUSED PLATFORM_SILENT`.split(
    /\s+/,
  );

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('reason codes', () => {
  it('has every code of the contract', () => {
    expect(REASON_CODES).toEqual(expect.arrayContaining(CODES_OF_THE_CONTRACT));
  });

  it('says each code in both languages with the same parameters, as a sentence', () => {
    expect(Object.keys(REASON_TEXTS_EN)).toEqual([...REASON_CODES]);
    for (const code of REASON_CODES) {
      for (const language of LANGUAGES) expect(reasonText(code, language)).toMatch(/\.$/);
      expect(placeholders(REASON_TEXTS_EN[code])).toEqual(placeholders(REASON_TEXTS_PT[code]));
    }
  });

  it('fills in parameters as they are and leaves no placeholder', () => {
    expect(reasonText('PRICE_MISMATCH', 'en', { given: '$& {expected}', expected: '12.45' })).toBe(
      'The value $& {expected} differs from the final value of the order, 12.45.',
    );
    expect(reasonText('STATUS_NOT_SETTABLE', 'pt-BR')).toContain('(?)');
  });

  it('leaves out a part in brackets whose parameter is not given', () => {
    expect(reasonText('UNIT_UNKNOWN', 'en', { given: '"CX"' })).toMatch(/^The unit of measure "CX" is not known\./);
    expect(reasonText('UNIT_UNKNOWN', 'en')).toMatch(/^The unit of measure is not known\./);
    for (const code of REASON_CODES) expect(reasonText(code, 'pt-BR')).not.toMatch(/[[\]]/);
  });

  it('builds a reason without keys it does not have', () => {
    expect(Object.keys(reasonOf('NOT_PAID', 'en'))).toEqual(['code', 'message']);
    expect(
      reasonOf('LIMIT', 'en', { field: 'name', hint: 'shorter', params: { field: 'name', limit: 'fit' } }),
    ).toEqual({
      code: 'LIMIT',
      message: 'The field "name" must fit.',
      field: 'name',
      hint: 'shorter',
    });
  });
});
