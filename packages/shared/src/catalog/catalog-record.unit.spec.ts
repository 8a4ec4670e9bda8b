import { describe, expect, it } from '@jest/globals';
import { readCatalogRecord } from './catalog-record.ts';
import { numberFromToken } from '../json/json-digits.ts';

const version = (digits: string) => readCatalogRecord({ sourceVersion: numberFromToken(digits) }, 'en').sourceVersion;

describe('catalog record', () => {
  it('is an upsert without anything else unless it says otherwise', () => {
    const content = { externalReference: '4711', name: null };
    expect(readCatalogRecord(content, 'en')).toEqual({
      op: 'upsert',
      recordId: null,
      sourceVersion: null,
      force: false,
      loadId: null,
      content,
      errors: [],
    });
  });

  it('takes its control keys out of what is posted, and leaves every other as it came (rule 21)', () => {
    const control = {
      op: 'deactivate',
      recordId: 'r-1',
      sourceVersion: '12',
      force: true,
      loadId: 'l',
      tenant: 'acme',
    };
    const content = { externalReference: '4711', active: null, sobra: numberFromToken('1.10') };
    expect(readCatalogRecord({ ...control, ...content }, 'en')).toEqual({
      op: 'deactivate',
      recordId: 'r-1',
      sourceVersion: 12n,
      force: true,
      loadId: 'l',
      content,
      errors: [],
    });
  });

  it('takes null for absent in its control keys', () => {
    const nulls = { op: null, recordId: null, sourceVersion: null, force: null, loadId: null, tenant: null };
    expect(readCatalogRecord(nulls, 'en')).toMatchObject({ op: 'upsert', content: {}, errors: [] });
  });

  it('says what is wrong with them, an unknown op by its nearest name', () => {
    const wrong = { op: 'activated', recordId: 7, sourceVersion: 1.5, force: 'yes', loadId: {} };
    const { errors, ...rest } = readCatalogRecord(wrong, 'en');
    expect(rest).toMatchObject({ op: 'upsert', recordId: null, sourceVersion: null, force: false, loadId: null });
    expect(errors.map(({ field, code }) => [field, code])).toEqual([
      ['recordId', 'FIELD_TYPE'],
      ['sourceVersion', 'FIELD_TYPE'],
      ['force', 'FIELD_TYPE'],
      ['loadId', 'FIELD_TYPE'],
      ['op', 'COMMAND_UNKNOWN'],
    ]);
    expect(errors.at(-1)?.hint).toContain('"activate"');
  });

  it('keeps versions beyond what a float holds apart, and refuses what no bigint column takes', () => {
    expect(version('900719925474099301')).toBe(900_719_925_474_099_301n);
    expect(version('900719925474099302')).toBe(900_719_925_474_099_302n);
    expect(version('1000000000000000000')).toBeNull();
    expect(version('-1')).toBeNull();
  });
});
