// The merchant's catalogue as its ERP holds it, written as records of `erp.catalog.products.v1`. What the shop requires and an ERP lacks
// (weights, dimensions, manufacturer, texts) is left to the tenant's defaults, as a real ERP does.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';

export interface ProductRecord {
  /** The ERP's own id of this record: its result carries it as `commandId`. */
  recordId: string;
  externalReference: string;
  name: string;
  title: string;
  slug?: string;
  ean?: string;
  fiscalCode?: string;
  skus: {
    externalReference: string;
    name: string;
    ean: string;
    reference: string;
    unitOfMeasurement: string;
    arithmeticFactor?: string;
  }[];
}

interface InvoiceRow {
  code: string;
  ean: string;
  name: string;
  ncm: string;
  unit: string;
  unit_price: string;
}

/** The slug that a product of the shop's own had before the ERP came: the row that asks for it is refused, and says so. */
export const TAKEN_SLUG = 'granola-tradicional-800g';
const ROW_WITH_TAKEN_SLUG = '1094';

const WEIGHABLES: readonly { code: string; ean: string; name: string; ncm: string }[] = [
  { code: '4711', ean: '7891000100103', name: 'Queijo Minas Frescal', ncm: '04061010' },
  { code: '4712', ean: '7891000053508', name: 'Presunto Cozido Fatiado', ncm: '16024100' },
  { code: '4713', ean: '7891000244234', name: 'Banana Prata', ncm: '08039000' },
];

/** The 65 products of the sample invoices and three weighables, in the shape of the contract; `loadId` makes their record ids unique. */
export async function readProducts(loadId: string): Promise<ProductRecord[]> {
  const text = await readFile(new URL('../data/nfe-products.csv', import.meta.url), 'utf8');
  const rows = parse<InvoiceRow>(text, { columns: true, skip_empty_lines: true });
  const products = [...rows.map(fromInvoiceRow), ...WEIGHABLES.map(weighable)];
  return products.map((product) => ({ recordId: `${loadId}/${product.externalReference}`, ...product }));
}

function fromInvoiceRow(row: InvoiceRow): Omit<ProductRecord, 'recordId'> {
  return {
    externalReference: row.code,
    name: row.name,
    title: row.name,
    ...(row.code === ROW_WITH_TAKEN_SLUG && { slug: TAKEN_SLUG }),
    ean: row.ean,
    fiscalCode: row.ncm,
    skus: [
      {
        externalReference: `${row.code}-1`,
        name: row.name,
        ean: row.ean,
        reference: row.code,
        unitOfMeasurement: row.unit,
      },
    ],
  };
}

function weighable({ code, ean, name, ncm }: (typeof WEIGHABLES)[number]): Omit<ProductRecord, 'recordId'> {
  return {
    externalReference: code,
    name,
    title: name,
    ean,
    fiscalCode: ncm,
    skus: [
      {
        externalReference: `${code}-1`,
        name,
        ean,
        reference: code,
        unitOfMeasurement: 'Kg',
        arithmeticFactor: '0.1',
      },
    ],
  };
}
