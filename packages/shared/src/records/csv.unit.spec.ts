import { describe, expect, it } from '@jest/globals';
import { recordsOfCsv } from './csv.ts';

const read = (content: string) =>
  recordsOfCsv(content)?.map(({ line, text }) => ({ line, record: JSON.parse(text) as unknown })) ?? null;

describe('a table of records', () => {
  it('has a field for each column, and leaves out what is empty', () => {
    expect(read('externalReference,name,active\n1,"Queijo, fresco",true\n2,,false\n')).toEqual([
      { line: 2, record: { externalReference: '1', name: 'Queijo, fresco', active: true } },
      { line: 3, record: { externalReference: '2', active: false } },
    ]);
  });

  it('as spreadsheets of Brazil write it has semicolons, a byte order mark and quotes over lines', () => {
    expect(read('\uFEFFexternalReference;name\r\n1;"com ""aspas""\nem duas linhas"\r\n2;b\r\n')).toEqual([
      { line: 2, record: { externalReference: '1', name: 'com "aspas"\nem duas linhas' } },
      { line: 4, record: { externalReference: '2', name: 'b' } },
    ]);
  });

  it('makes one product of the rows that have its SKUs, and an object of the columns of data', () => {
    expect(read('externalReference,sku.externalReference,sku.ean\n1,1-a,789\n1,1-b,790\n2,2-a,\n')).toMatchObject([
      { line: 2, record: { skus: [{ externalReference: '1-a', ean: '789' }, { externalReference: '1-b' }] } },
      { line: 4, record: { externalReference: '2', skus: [{ externalReference: '2-a' }] } },
    ]);
    expect(read('externalReference,data.price\n1,39.90\n1,40\n')).toMatchObject([
      { record: { data: { price: '39.90' } } },
      { record: { data: { price: '40' } } },
    ]);
  });

  it('has no other columns than its own, whatever they are called', () => {
    expect(recordsOfCsv('externalReference,__proto__\n1,x\n')).toEqual([
      { line: 2, text: '{"externalReference":"1","__proto__":"x"}' },
    ]);
  });

  it('is invalid with an open quote or a row that is too long', () => {
    expect(read('a,b\n1,"2\n')).toBeNull();
    expect(read('a,b\n1,2,3\n')).toBeNull();
    expect(read('')).toEqual([]);
  });
});
