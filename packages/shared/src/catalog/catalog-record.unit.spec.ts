import { describe, expect, it } from '@jest/globals';
import { readCatalogRecord } from './catalog-record.ts';
import { numberFromToken } from '../json/json-digits.ts';

const version = (digits: string) => readCatalogRecord({ sourceVersion: numberFromToken(digits) }, 'en').sourceVersion;

describe('catalog record', () => {
  it('is an upsert without options by default', () => {
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

  it('removes its control keys from the posted content, and keeps every other key unchanged (rule 21)', () => {
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

  it('treats null as absent in its control keys', () => {
    const nulls = { op: null, recordId: null, sourceVersion: null, force: null, loadId: null, tenant: null };
    expect(readCatalogRecord(nulls, 'en')).toMatchObject({ op: 'upsert', content: {}, errors: [] });
  });

  it('reports invalid control keys, and an unknown op with the nearest name', () => {
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

  it('distinguishes versions beyond the precision of a float, and refuses versions beyond bigint', () => {
    expect(version('900719925474099301')).toBe(900_719_925_474_099_301n);
    expect(version('900719925474099302')).toBe(900_719_925_474_099_302n);
    expect(version('1000000000000000000')).toBeNull();
    expect(version('-1')).toBeNull();
  });
});
