// The merchant's catalog in its ERP: records of `erp.catalog.products.v1`, brands and categories. Fields that the
// shop requires and an ERP lacks (weights, dimensions, manufacturer, texts) are left to the tenant's defaults, as a
// real ERP does.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';

/** Brands, one tree of categories, and products. `recordId` is the `commandId` of a record's result. */
export type Catalog = Awaited<ReturnType<typeof readCatalog>>;

interface Item {
  code: string;
  ean: string;
  name: string;
  ncm: string;
  unit: string;
  arithmeticFactor?: string;
}

/**
 * Slug that one of the shop's own products had before the ERP: the row with this slug is refused with that reason.
 */
export const TAKEN_SLUG = 'granola-tradicional-800g';
const ROW_WITH_TAKEN_SLUG = '1094';

const WEIGHABLES: readonly Item[] = [
  {
    code: '4711',
    ean: '7891000100103',
    name: 'Queijo Minas Frescal',
    ncm: '04061010',
    unit: 'Kg',
    arithmeticFactor: '0.1',
  },
  {
    code: '4712',
    ean: '7891000053508',
    name: 'Presunto Cozido Fatiado',
    ncm: '16024100',
    unit: 'Kg',
    arithmeticFactor: '0.1',
  },
  { code: '4713', ean: '7891000244234', name: 'Banana Prata', ncm: '08039000', unit: 'Kg', arithmeticFactor: '0.1' },
];

/** Digits of a Brazilian GTIN that identify its owner. */
const COMPANY_DIGITS = 7;
/** Digits of an NCM that identify its chapter. */
const CHAPTER_DIGITS = 2;

/**
 * The 65 products of the sample invoices and three weighables. Invoices name neither brand nor category, so the
 * brand is the owner of the bar code, and the category is the NCM's chapter; `loadId` makes the record ids unique,
 * and names the load to operators.
 */
export async function readCatalog(loadId: string) {
  const text = await readFile(new URL('../data/nfe-products.csv', import.meta.url), 'utf8');
  const items = [...parse<Item>(text, { columns: true, skip_empty_lines: true }), ...WEIGHABLES];
  const brands = [...new Set(items.map(brandOf))].map((reference) => brandRecord(loadId, reference));
  const chapters = [...new Set(items.map(chapterOf))].toSorted((one, other) => one.localeCompare(other));
  return {
    brands,
    categories: {
      recordId: `${loadId}/categories`,
      loadId,
      ...categoryRecord('MERCADO', 'Mercado', 1),
      children: chapters.map((reference, index) =>
        categoryRecord(reference, `Capítulo ${reference.slice(4)} da NCM`, index + 1),
      ),
    },
    products: items.map((item) => productRecord(loadId, item)),
  };
}

function brandOf({ ean }: Item): string {
  return `GS1-${ean.slice(0, COMPANY_DIGITS)}`;
}

function chapterOf({ ncm }: Item): string {
  return `NCM-${ncm.slice(0, CHAPTER_DIGITS)}`;
}

function brandRecord(loadId: string, reference: string) {
  const name = `Marca ${reference}`;
  return {
    recordId: `${loadId}/${reference}`,
    loadId,
    externalReference: reference,
    name,
    title: name,
    description: name,
    punctuation: 1,
  };
}

function categoryRecord(reference: string, name: string, position: number) {
  return { externalReference: reference, name, title: name, description: name, showInStoreFront: true, position };
}

function productRecord(loadId: string, item: Item) {
  const { code, ean, name, ncm, unit, arithmeticFactor } = item;
  return {
    recordId: `${loadId}/${code}`,
    loadId,
    externalReference: code,
    brandExternalReference: brandOf(item),
    categoryExternalReference: chapterOf(item),
    name,
    title: name,
    ...(code === ROW_WITH_TAKEN_SLUG && { slug: TAKEN_SLUG }),
    ean,
    fiscalCode: ncm,
    skus: [
      {
        externalReference: `${code}-1`,
        name,
        ean,
        reference: code,
        unitOfMeasurement: unit,
        ...(arithmeticFactor !== undefined && { arithmeticFactor }),
      },
    ],
  };
}
