import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type CellProblem, recordsOfCsv } from './csv.ts';

function read(content: string): unknown {
  const reading = recordsOfCsv(content);
  if (reading.kind !== 'records') return reading;
  return reading.records.map(({ line, text }) => ({ line, record: JSON.parse(text) as unknown }));
}

function problemsOf(content: string): readonly CellProblem[] {
  const reading = recordsOfCsv(content);
  return reading.kind === 'wrong-cells' ? reading.problems : [];
}

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
    expect(recordsOfCsv('externalReference,data.price\n1,39.90\n2,40\n')).toEqual({
      kind: 'records',
      records: [
        { line: 2, text: '{"externalReference":"1","data":{"price":39.90}}' },
        { line: 3, text: '{"externalReference":"2","data":{"price":40}}' },
      ],
    });
  });

  it('fills a product from all of its rows, and has equal rows once', () => {
    const rows = 'externalReference;name;sku.externalReference;sku.ean\n1;;1-a;\n1;Queijo;1-a;789\n1;Queijo;1-b;\n';
    expect(read(rows)).toEqual([
      {
        line: 2,
        record: {
          externalReference: '1',
          name: 'Queijo',
          skus: [{ externalReference: '1-a', ean: '789' }, { externalReference: '1-b' }],
        },
      },
    ]);
    expect(read('externalReference;data.price\n1;5\n1 ;5\n')).toEqual([
      { line: 2, record: { externalReference: '1', data: { price: 5 } } },
    ]);
  });

  it.each<[string, string, string[]]>([
    ['fields of a product', 'externalReference;name;sku.externalReference\n1;A;1-a\n1;B;1-b\n', ['name 2 3']],
    ['fields of a SKU', 'externalReference;sku.externalReference;sku.ean\n1;1-a;7\n1;1-a;8\n', ['sku.ean 2 3']],
    ['values', 'externalReference;warehouse;data.stock\n1;a;5\n1;b;6\n1;a;7\n', ['data.stock 2 4']],
    ['brands', 'externalReference;name\n1;A\n1;B\n', ['name 2 3']],
  ])('is refused with both lines where rows contradict each other: %s', (_, table, expected) => {
    const problems = problemsOf(table);
    expect(problems.map(({ column, line, before }) => `${column} ${before?.line} ${line}`)).toEqual(expected);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['contradiction']));
  });

  it('has several records of one thing where they are different changes of it', () => {
    expect(read('externalReference;recordId;data.price\n1;r-1;5\n1;r-2;6\n')).toHaveLength(2);
    expect(read('externalReference;sourceVersion;data.price\n1;1;5\n1;2;6\n')).toHaveLength(2);
  });

  it.each(['6,99', '1.299,90', '-6,99', '1,299.90', '1.299.000', '6,', ',5', '.5', '5.', ' 6,99 '])(
    'is refused with the line of a number in data that JSON writes otherwise: %j',
    (cell) => {
      const problem = { code: 'number', line: 3, column: 'data.price', cell };
      expect(problemsOf(`externalReference;data.price\n1;5.00\n2;${cell}\n`)).toEqual([problem]);
      expect(problemsOf(`externalReference;name\n1;${cell}\n`)).toEqual([]);
    },
  );

  it.each(['R$ 6,99', 'R$6.99', '6.99 BRL', '€ 5', 'US$ 5'])(
    'is refused with the line of a currency in data: %s',
    (cell) => {
      expect(problemsOf(`externalReference;data.price\n1;${cell}\n`)).toMatchObject([
        { code: 'currency', line: 2, cell },
      ]);
    },
  );

  it('has decimal text in data as a number of the same digits, and any other text as it is', () => {
    const anyCell = fc.oneof(
      fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$/),
      fc.constantFrom('00123', '20.11.2026', 'cd-01', 'CX 12', '1e5', '10:30', 'R$', '-'),
    );
    fc.assert(
      fc.property(anyCell, (cell) => {
        const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell);
        const text = `{"externalReference":"1","data":{"x":${isNumber ? cell : JSON.stringify(cell)}}}`;
        expect(recordsOfCsv(`externalReference;data.x\n1;${cell}\n`)).toEqual({
          kind: 'records',
          records: [{ line: 2, text }],
        });
      }),
    );
  });

  it('has tabs, or the separator of a first line for Excel, and the booleans of spreadsheets', () => {
    const record = { externalReference: '1', active: true, displayInSite: false };
    expect(read('externalReference\tactive\tdisplayInSite\n1\tTRUE\tFALSO\n')).toEqual([{ line: 2, record }]);
    expect(read('sep=;\r\nexternalReference;active;displayInSite\r\n1;VERDADEIRO;FALSE\r\n')).toEqual([
      { line: 3, record },
    ]);
    expect(read('sep=|\nexternalReference|name\n1|a;b,c\n')).toMatchObject([{ record: { name: 'a;b,c' } }]);
  });

  it('has no other columns than its own, whatever they are called', () => {
    expect(recordsOfCsv('externalReference,__proto__\n1,x\n')).toMatchObject({
      records: [{ line: 2, text: '{"externalReference":"1","__proto__":"x"}' }],
    });
  });

  it('is invalid with an open quote or a row that is too long', () => {
    expect(read('a,b\n1,"2\n')).toEqual({ kind: 'no-table' });
    expect(read('a,b\n1,2,3\n')).toEqual({ kind: 'no-table' });
    expect(read('')).toEqual([]);
  });
});
