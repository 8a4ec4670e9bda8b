import { readFile } from 'node:fs/promises';

/** A product row of the sample invoices (demo/data). */
export interface InvoiceRow {
  readonly code: string;
  readonly ean: string;
  readonly name: string;
  readonly ncm: string;
  readonly unit: string;
}

/** Their values have no commas. */
export async function invoiceRows(): Promise<InvoiceRow[]> {
  const text = await readFile(new URL('../../../../demo/data/nfe-products.csv', import.meta.url), 'utf8');
  const [, ...lines] = text.trim().split('\n');
  return lines.map((line) => {
    const [code = '', ean = '', name = '', ncm = '', _cest, unit = ''] = line.split(',');
    return { code, ean, name, ncm, unit };
  });
}
