import { describe, expect, it } from '@jest/globals';
import { brokenConstraints } from '../fields/broken-constraints.ts';
import { type FieldSpec, fieldTable } from '../schemas/field.decorators.ts';
import { withIdentityTexts } from '../fields/identity-texts.ts';
import { type JsonRecord, type JsonValue, numberFromToken, stringifyWithDigits } from '../json/json-digits.ts';
import { CREATE, errorsOf, FULL_PRODUCT, FULL_SKU } from '../testing/catalog-samples.ts';
import { schemaCheck } from '../testing/schema-check.ts';
import { contractRecordOf, CONTRACT_RECORDS } from './contract-records.ts';
import { contractSchema } from './contract-record.ts';
import { ERP_RECORDS } from './erp-records.ts';
import { fieldSchema } from './field-schemas.ts';
import type { Dto, JsonSchema } from '../schemas/json-schema.ts';

const GUID = '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f10';

/** Values at the edges of every type. */
const VALUES: readonly JsonValue[] = [
  null,
  true,
  false,
  '',
  ' ',
  'a',
  'Kg',
  'Un',
  'KG',
  'SKU',
  'sku',
  'Invoice',
  'picked',
  'a/b',
  '..',
  'a/../b',
  '.',
  GUID,
  '0',
  '1',
  '-1',
  '007',
  '4711',
  '1.5',
  '-1.5',
  '1.500',
  '0.0',
  '1,5',
  '1e3',
  '12.345',
  '12.3400',
  '9'.repeat(61),
  0,
  1,
  3,
  5,
  6,
  -1,
  4711,
  1.5,
  -1.5,
  0.1,
  ...['4711.0', '3.0', '1e3', '1.5e1', '10E-1', '-0.0', '-1.0', '1.50'].map(numberFromToken),
  '2026-11-20',
  '2026-11-20T10:00:00',
  '2026-11-20T10:00:00Z',
  '2026-11-20T10:00:00.1234567-03:00',
  '2026-11-20T10:00:00.12345678Z',
  '2026-11-20T10:00Z',
  '2026-11-20T10:00:00.123456789Z',
  '2026-11-20 10:00:00-0300',
  '2026-02-29T10:00:00Z',
  '2026-11-20T10:00:60Z',
  '2026-11-20T10:00:00+24:00',
  '2026-02-30',
  '20/11/2026',
  'x'.repeat(15),
  'x'.repeat(16),
  'x'.repeat(60),
  'x'.repeat(61),
  'x'.repeat(512),
  'x'.repeat(513),
  '\0',
  [],
  [{}],
  ['a'],
  [''],
  [1],
  {},
  { url: 'a' },
];

/** True if a schema accepts more than the reader: it cannot express a rule, or does not know the tenant's names. */
function isBeyondSchema({ type, tenantNames }: FieldSpec, value: JsonValue): boolean {
  if (type === 'access-key' || tenantNames !== undefined) return true;
  // Text with NUL cannot be stored. A code of nothing but blanks is empty; the schemas of the last release take it.
  return value === '\0' || value === ' ';
}

/** A time's pattern has the forms that are read; its format, no assertion in the draft, is that of RFC 3339. */
function asAsserted({ format, ...schema }: JsonSchema, { type }: FieldSpec): JsonSchema {
  return type === 'time' || format === undefined ? schema : { ...schema, format };
}

/** True for fields whose content has no schema of its own. */
function isWhole({ of }: FieldSpec): boolean {
  return of === undefined;
}

/** A class and those of the records inside it. */
function withInner(dto: Dto): Dto[] {
  const inner = Object.values<FieldSpec>(fieldTable(dto)).flatMap(({ of }) => (of === undefined ? [] : [of()]));
  return [dto, ...inner.filter((each) => each !== dto).flatMap(withInner)];
}

const FIELDS = [...new Set(ERP_RECORDS.flatMap(({ dtos }) => dtos).flatMap(withInner))].flatMap((dto: Dto) =>
  Object.entries(fieldTable(dto) as Readonly<Record<string, FieldSpec>>)
    .filter(([, spec]) => isWhole(spec) && spec.choices === undefined)
    .map(([name, spec]) => ({ dto, name, spec })),
);

describe('the schemas of what an ERP writes', () => {
  it('take, field by field, what the code takes, and nothing else that a schema can tell', () => {
    const differences: unknown[] = [];
    for (const { dto, name, spec } of FIELDS) {
      const check = schemaCheck(
        asAsserted(
          fieldSchema(name, spec, () => ({})),
          spec,
        ),
      );
      for (const value of VALUES) {
        const record = withIdentityTexts({ [name]: value });
        const isTaken = !brokenConstraints({ [name]: spec }, record, 'create').has(name);
        const isValid = check(JSON.parse(stringifyWithDigits(value))).length === 0;
        if (isTaken === isValid || (isValid && isBeyondSchema(spec, value))) continue;
        differences.push({ dto: dto.name, name, value, isTaken, isValid });
      }
    }
    expect(differences).toEqual([]);
    expect(FIELDS.length).toBeGreaterThan(60);
  });

  it('require on create what the code requires without any default of a tenant (rule 20)', () => {
    const record = contractRecordOf('erp.catalog.products.v1', FULL_PRODUCT)!;
    const check = schemaCheck(contractSchema(record, { mode: 'create' }));
    const update = schemaCheck(contractSchema(record));
    for (const [field, ofSku] of [...fieldsOf(FULL_PRODUCT, false), ...fieldsOf(FULL_SKU, true)]) {
      const without = ofSku ? { ...FULL_PRODUCT, skus: [lacking(FULL_SKU, field)] } : lacking(FULL_PRODUCT, field);
      const isRequired = errorsOf(without, CREATE).length > 0;
      expect({ field, ofSku, isRequired: check(without).length > 0 }).toEqual({ field, ofSku, isRequired });
      expect({ field, ofSku, isKey: update(without).length > 0 }).toEqual({
        field,
        ofSku,
        isKey: field === 'externalReference',
      });
    }
    expect(check(FULL_PRODUCT)).toEqual([]);
  });

  it('refuse a field that nobody knows, and take a read model as it was read (rule 22)', () => {
    const check = schemaCheck(contractSchema(contractRecordOf('erp.catalog.products.v1', {})!));
    expect(check({ externalReference: '4711', nome: 'Queijo' })).toHaveLength(1);
    expect(check({ externalReference: '4711', id: GUID, brand: { externalReference: 'b' }, skus: [] })).toEqual([]);
  });

  it('hold what stands between fields', () => {
    const file = { commandId: 'c-1', externalReference: 'a', fileType: 'SKU' };
    expect(isRefused({ ...file, command: 'RemoveFiles' })).toBe(true);
    expect(isRefused({ ...file, command: 'RemoveFiles', urls: ['a'] })).toBe(false);
    const all = { commandId: 'c-1', command: 'RemoveAllFiles', entityId: GUID };
    expect([isRefused(all), isRefused({ ...all, confirm: true })]).toEqual([true, false]);
    const images = (...list: JsonRecord[]) =>
      isRefused({ commandId: 'c-1', command: 'PublishSkuImages', skuExternalReference: 'a', images: list });
    expect(images()).toBe(true);
    expect(images({ order: 1, content: { uploadId: 'u', url: null } })).toBe(false);
    expect(images({ order: 1, content: { uploadId: 'u', url: 'https://example.com/a.png' } })).toBe(true);
  });
});

describe('the schemas of the contract', () => {
  it('are schemas of the draft 2020-12, and name each record once', () => {
    for (const record of CONTRACT_RECORDS) {
      expect(() => schemaCheck(contractSchema(record))).not.toThrow();
      expect(() => schemaCheck(contractSchema(record, { mode: 'create', closed: true }))).not.toThrow();
    }
    expect(new Set(CONTRACT_RECORDS.map(({ name }) => name)).size).toBe(CONTRACT_RECORDS.length);
  });

  it('let a reader meet fields of later releases, and hold a writer to those of this one', () => {
    const sku = CONTRACT_RECORDS.find(({ name }) => name === 'sku')!;
    const isNew = (options: { closed?: boolean }) =>
      schemaCheck(contractSchema(sku, options))({ later: 1 }).filter((error) => error.includes('later')).length;
    expect([isNew({}), isNew({ closed: true })]).toEqual([0, 1]);
  });
});

function fieldsOf(record: JsonRecord, ofSku: boolean): [string, boolean][] {
  return Object.keys(record).map((field) => [field, ofSku]);
}

function lacking(record: JsonRecord, field: string): JsonRecord {
  const { [field]: _left, ...rest } = record;
  return rest;
}

function isRefused(command: JsonRecord): boolean {
  return schemaCheck(contractSchema(contractRecordOf('erp.files.commands.v1', command)!))(command).length > 0;
}
