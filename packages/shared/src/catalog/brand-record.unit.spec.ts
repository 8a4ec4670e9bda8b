import { describe, expect, it } from '@jest/globals';
import { BRAND_FIELDS } from './brand-record.dto.ts';
import { prepareBrand } from './brand-record.ts';
import { BrandRecordDto } from './brand-record.dto.ts';
import { type JsonRecord, stringifyWithDigits } from '../json/json-digits.ts';
import { listed } from '../testing/catalog-samples.ts';

const BRAND: JsonRecord = {
  externalReference: 'serra',
  name: 'Serra',
  title: 'Queijos da Serra',
  description: 'Queijos',
  punctuation: 10,
};
const errorsOf = (content: JsonRecord, known: JsonRecord | null = null, allowedExtraKeys: string[] = []) =>
  listed(prepareBrand(content, known, { language: 'en', allowedExtraKeys }).errors);

describe('a brand record', () => {
  it('has a DTO property for every field of the table', () => {
    expect(Object.keys(new BrandRecordDto())).toEqual(Object.keys(BRAND_FIELDS));
  });

  it('requires what the document requires (rule 20)', () => {
    expect(errorsOf({ externalReference: 'serra' })).toEqual(
      ['name', 'title', 'description', 'punctuation'].map((field) => [field, 'FIELD_REQUIRED']),
    );
    expect(errorsOf(BRAND)).toEqual([]);
  });

  it('is sent whole: a change is merged into the last known brand, with its nulls and digits (rule 21)', () => {
    const change = { externalReference: 'serra', punctuation: '20', similarTerms: null };
    const { body, errors } = prepareBrand(change, { ...BRAND, similarTerms: 'queijo' }, { language: 'en' });
    expect(errors).toEqual([]);
    expect(stringifyWithDigits(body)).toBe(
      '{"externalReference":"serra","name":"Serra","title":"Queijos da Serra","description":"Queijos","punctuation":20,"similarTerms":null}',
    );
  });

  it.each<[string, JsonRecord, string[][]]>([
    ['a required field taken away', { title: null }, [['title', 'FIELD_REQUIRED']]],
    ['a wrong type', { punctuation: 'high' }, [['punctuation', 'FIELD_TYPE']]],
    ['an unknown key', { similarTerm: 'x' }, [['similarTerm', 'FIELD_UNKNOWN']]],
  ])('with %s is invalid (rule 20)', (_, fields, expected) => {
    expect(errorsOf({ externalReference: 'serra', ...fields }, BRAND)).toEqual(expected);
  });

  it('accepts keys that the tenant allows, and names the nearest control key for a misspelt one (rule 20)', () => {
    expect(errorsOf({ ...BRAND, erpCode: 7 }, null, ['erpCode'])).toEqual([]);
    const { errors } = prepareBrand({ ...BRAND, sourceVersio: 1 }, null, { language: 'en' });
    expect(errors).toMatchObject([{ hint: 'The nearest known name is "sourceVersion".' }]);
  });
});
