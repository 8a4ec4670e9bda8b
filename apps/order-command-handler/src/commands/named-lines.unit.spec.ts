import { describe, expect, it } from '@jest/globals';
import { readOrderValues } from '../facts/order-values.ts';
import { type KnownSku, withSkus } from '../skus/match-skus.ts';
import { nameLines } from './named-lines.ts';

const cheese: KnownSku = {
  skuExternalReference: '4711-1',
  skuId: 's-1',
  productId: 'p-1',
  ean: '789',
  reference: 'R1',
  name: 'Queijo',
};
const other = (more: Partial<KnownSku>): KnownSku => ({ ...cheese, skuExternalReference: '4712-1', ...more });

describe('the SKUs of a picking', () => {
  const lines = withSkus(
    readOrderValues({ items: [{ skuId: 's-1' }, { skuId: 's-1' }, { skuId: 'new' }, { skuId: 's-2' }] }, 1),
    [cheese, other({ skuId: 's-2' })],
  ).items;
  const picked = {
    skuExternalReference: '4712-1',
    line: null,
    outcome: 'picked',
    substitutes: null,
    quantity: null,
    unitPrice: null,
    total: null,
  } as const;
  const codes = (...all: Parameters<typeof nameLines>[0]): string[] =>
    nameLines(all, lines, [cheese]).problems.map(({ code, field }) => `${code} ${field}`);

  it('are those of the order, each by its line where it occurs twice (rule 11)', () => {
    expect(codes(picked)).toEqual([]);
    expect(codes({ ...picked, skuExternalReference: '4711-1' })).toEqual(['SKU_AMBIGUOUS items[0].line']);
    expect(codes({ ...picked, skuExternalReference: '4711-1', line: 2 })).toEqual([]);
    expect(codes({ ...picked, skuExternalReference: '4711-1', line: 4 })).toEqual(['SKU_UNKNOWN items[0].line']);
  });

  it('are named by their line where the catalog does not know them (rule 11)', () => {
    expect(codes({ ...picked, skuExternalReference: 'new-1' })).toEqual(['SKU_UNKNOWN items[0].skuExternalReference']);
    expect(codes({ ...picked, skuExternalReference: 'new-1', line: 3 })).toEqual([]);
  });

  it('are answered with the cancellation of the order where all of them are missing', () => {
    const missing = { ...picked, outcome: 'missing' } as const;
    const all = [1, 2, 3].map((line) => ({ ...missing, skuExternalReference: line === 3 ? 'new-1' : '4711-1', line }));
    expect(codes(...all, missing)).toEqual(['NOTHING_PICKED items']);
    expect(codes(...all)).toEqual([]);
    expect(codes(...all, { ...missing, outcome: 'picked' })).toEqual([]);
    expect(
      codes(...all, { ...missing, outcome: 'substitute', skuExternalReference: '4711-1', substitutes: '4712-1' }),
    ).toEqual([]);
  });

  it('are known to the catalog where they come new, and replace what is in the order (rule 11)', () => {
    const substitute = { ...picked, outcome: 'substitute', skuExternalReference: '4711-1' } as const;
    expect(codes({ ...substitute, substitutes: '4712-1' })).toEqual([]);
    expect(codes({ ...substitute, substitutes: '9' })).toEqual(['SKU_UNKNOWN items[0].substitutes']);
    expect(codes({ ...picked, outcome: 'added', skuExternalReference: '9' })).toEqual([
      'SKU_UNKNOWN items[0].skuExternalReference',
    ]);
  });

  it('are not named twice for one line, however it is named', () => {
    const twice = [picked, { ...picked, line: 4, outcome: 'missing' }] as const;
    expect(codes(...twice)).toEqual(['SKU_AMBIGUOUS items[1].line']);
    const substitute = {
      ...picked,
      outcome: 'substitute',
      skuExternalReference: '4711-1',
      substitutes: 'new-1',
      line: 3,
    } as const;
    expect(codes({ ...picked, skuExternalReference: 'new-2', line: 3 }, substitute)).toEqual([
      'SKU_AMBIGUOUS items[1].line',
    ]);
    expect(codes({ ...substitute, substitutes: '4711-1', line: 1 })).toEqual(['SKU_AMBIGUOUS items[0].substitutes']);
  });
});
