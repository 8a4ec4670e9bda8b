import { describe, expect, it } from '@jest/globals';
import { prepareBrand } from './catalog/brand-record.ts';
import { readCatalogRecord } from './catalog/catalog-record.ts';
import { prepareCategory } from './catalog/category-record.ts';
import { readFileCommand } from './files/file-command.ts';
import { type JsonRecord, parseWithDigits, stringifyWithDigits } from './json/json-digits.ts';
import { prepareProduct } from './catalog/product-record.ts';
import type { FieldReason } from './outcomes/reason-codes.ts';
import { tenantOf } from './topics/tenant-of.ts';
import { UPDATE } from './testing/catalog-samples.ts';
import { unitFrom } from './units-and-money/units.ts';

/** Names that every plain object inherits: they must neither count as known nor get lost. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];

const parsed = (text: string): JsonRecord => parseWithDigits(text) as JsonRecord;
const codes = (errors: readonly FieldReason[]) => errors.map(({ field, code }) => [field, code]);
const WHOLE = { language: 'en', known: new Map<string, JsonRecord>(), parents: new Map() } as const;

describe.each(INHERITED)('the name %s', (name) => {
  const unknown = [[name, 'FIELD_UNKNOWN']];

  it('is an unknown field of a product, of a SKU, of a brand and of a category, whatever its value (rule 20)', () => {
    for (const value of ['1', 'null', '{"name":"x"}', '[]']) {
      const product = parsed(`{"externalReference":"4711","${name}":${value},"recordId":"r"}`);
      const { content } = readCatalogRecord(product, 'en');
      expect(codes(prepareProduct(content, UPDATE).errors)).toEqual(unknown);
      const sku = parsed(`{"externalReference":"4711","skus":[{"externalReference":"4711-1","${name}":${value}}]}`);
      expect(codes(prepareProduct(sku, UPDATE).errors)).toEqual(unknown);
      const brand = parsed(`{"externalReference":"b","${name}":${value}}`);
      expect(codes(prepareBrand(brand, null, { language: 'en' }).errors)).toContainEqual(unknown[0]);
      const category = parsed(`{"externalReference":"c","children":[{"externalReference":"d","${name}":${value}}]}`);
      expect(codes(prepareCategory(category, WHOLE).errors)).toEqual([[`children[0].${name}`, 'FIELD_UNKNOWN']]);
    }
  });

  it('is an unknown field of commands and of what is inside them', () => {
    const file = parsed(
      `{"commandId":"c","command":"PublishSkuImages","skuExternalReference":"s","images":[{"order":1,"content":{"${name}":"u"}}]}`,
    );
    const files = readFileCommand(file, 'en');
    expect(files.ok ? [] : codes(files.errors)).toEqual([[`images[0].content.${name}`, 'FIELD_UNKNOWN']]);
  });

  it('passes unchanged, and is not applied, where the tenant allows it', () => {
    const text = `{"externalReference":"4711","${name}":{"active":false},"skus":[{"externalReference":"4711-1","${name}":1}]}`;
    const { body, errors } = prepareProduct(readCatalogRecord(parsed(text), 'en').content, {
      ...UPDATE,
      allowedExtraKeys: [name],
    });
    expect(errors).toEqual([]);
    expect(stringifyWithDigits(body)).toBe(text);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  it('is no command, no unit, no tenant and no kind of file', () => {
    const unknownCommand = { ok: false, errors: [{ code: 'COMMAND_UNKNOWN' }] };
    expect(readFileCommand({ commandId: 'c', command: name }, 'en')).toMatchObject(unknownCommand);
    expect(readCatalogRecord({ externalReference: 'x', op: name }, 'en').errors).toMatchObject([
      { code: 'COMMAND_UNKNOWN' },
    ]);
    expect(unitFrom(name, {})).toBeNull();
    expect(tenantOf({ header: name, field: undefined, known: ['acme', 'other'] })).toMatchObject({ ok: false });
    const list = { commandId: 'c', command: 'ListFiles', externalReference: 'x', fileType: name };
    expect(readFileCommand(list, 'en')).toMatchObject({ ok: false, errors: [{ field: 'fileType' }] });
  });
});
