import { describe, expect, it } from '@jest/globals';
import { mediaTypeOf, orderInName, readDropPath } from './drop-path.ts';

const MERCHANT = '11111111-1111-4111-8111-111111111111';
const DROP = `/loja/${MERCHANT}/SKUs/Integracao`;

function read(path: string) {
  return readDropPath(path, 'loja');
}

describe('a path of the SFTP drop', () => {
  it('leads from the root to the folder of a merchant (rule 34)', () => {
    expect(read('/')).toEqual({ kind: 'folder', contractAccountId: undefined, holds: 'loja' });
    expect(read('/loja')).toEqual({ kind: 'merchants', contractAccountId: undefined });
    expect(read(`/loja/${MERCHANT}`)).toEqual({ kind: 'folder', contractAccountId: MERCHANT, holds: 'SKUs' });
    expect(read(`/loja/${MERCHANT}/SKUs/`)).toEqual({
      kind: 'folder',
      contractAccountId: MERCHANT,
      holds: 'Integracao',
    });
    expect(read(DROP)).toEqual({ kind: 'drop', contractAccountId: MERCHANT });
    expect(read(`${DROP}/A_1.png`)).toEqual({ kind: 'file', contractAccountId: MERCHANT, fileName: 'A_1.png' });
  });

  it.each(['/outra', '/loja/nobody', `/loja/${MERCHANT}/Fotos`, `/loja/${MERCHANT}/SKUs/Outra`, `${DROP}/a/b`])(
    'leads nowhere: %s',
    (path) => {
      expect(read(path)).toBeUndefined();
    },
  );

  it('never leaves the root, and skips empty names and dots', () => {
    expect(read(`../../..//loja/./x/../${MERCHANT}/SKUs/Integracao/A_1.png`)).toEqual(read(`${DROP}/A_1.png`));
  });
});

describe('a standardized name', () => {
  it.each([
    ['A_2.png', 'A', '{sku}_{order}', '2'],
    ['A.b_12.jpeg', 'A.b', '{sku}_{order}', '12'],
    ['3-$&.png', '$&', '{order}-{sku}', '3'],
    ['A_.png', 'A', '{sku}_{order}', undefined],
    ['AB_1.png', 'A', '{sku}_{order}', undefined],
    ['A_1x.png', 'A', '{sku}_{order}', undefined],
    ['A', 'A', '{sku}{order}', undefined],
  ])('%s of the SKU %s by %s has the order %s', (fileName, sku, pattern, order) => {
    expect(orderInName(fileName, sku, pattern)).toBe(order);
  });

  it('shows the type of a file by its extension', () => {
    expect(mediaTypeOf('A_1.JPG')).toBe('image/jpeg');
    expect(mediaTypeOf('A_1.constructor')).toBe('application/octet-stream');
  });
});
