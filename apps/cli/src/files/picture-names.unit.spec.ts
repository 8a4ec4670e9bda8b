import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { groupPictures, type PictureName, pictureNameOf, referencesIn } from './picture-names.ts';

function named(...paths: string[]): PictureName[] {
  return paths.flatMap((path) => pictureNameOf(path) ?? []);
}

describe('the names of pictures', () => {
  it('are those of the four formats, in any case and folder', () => {
    expect(named('a/4711.JPG', '4711-1.jpeg', 'x.png', 'x.WebP', 'x.gif').map(({ whole }) => whole)).toEqual([
      '4711',
      '4711-1',
      'x',
      'x',
      'x',
    ]);
    expect(named('Thumbs.db', '.png', 'danfe.pdf', '4711', 'x.png.txt')).toEqual([]);
  });

  it('name one SKU or two that may be meant', () => {
    expect(referencesIn(named('4711-1.jpg', '4711_2.png', '4711.jpg', 'a-b.png', '4711-1234.png'))).toEqual([
      '4711-1',
      '4711',
      '4711_2',
      'a-b',
      '4711-1234',
    ]);
  });
});

describe('the pictures of a folder', () => {
  it('are ordered by their number, the one without a number first', () => {
    const names = named('4711_10.png', '4711-2.jpg', '4711.jpg', '4711-1.jpg');
    expect(groupPictures(names, new Set(['4711']))).toEqual({
      skus: [{ externalReference: '4711', paths: ['4711.jpg', '4711-1.jpg', '4711-2.jpg', '4711_10.png'] }],
      unknown: [],
      clashes: [],
    });
  });

  it('belong to the longest reference that is a SKU, since a reference may end in a number', () => {
    const names = named('4711-1.jpg', '4711-1-1.jpg', '4711-2.jpg');
    expect(groupPictures(names, new Set(['4711', '4711-1'])).skus).toEqual([
      { externalReference: '4711-1', paths: ['4711-1.jpg', '4711-1-1.jpg'] },
      { externalReference: '4711', paths: ['4711-2.jpg'] },
    ]);
    expect(groupPictures(names, new Set()).unknown).toEqual(['4711-1.jpg', '4711-1-1.jpg', '4711-2.jpg']);
  });

  it('have no order where two have one number', () => {
    expect(groupPictures(named('a-1.jpg', 'a_1.png', 'b.gif'), new Set(['a', 'b']))).toEqual({
      skus: [{ externalReference: 'b', paths: ['b.gif'] }],
      unknown: [],
      clashes: [{ externalReference: 'a', paths: ['a-1.jpg', 'a_1.png'] }],
    });
  });

  it('have one order in whatever order the folder shows any of them, and none is lost', () => {
    const number = fc.integer({ min: 0, max: 999 });
    const file = fc.tuple(fc.constantFrom('4711', '4711-1', 'a_b'), fc.constantFrom('-', '_'), number);
    const files = fc.uniqueArray(file, { selector: ([sku, separator, at]) => `${sku}${separator}${at}.png` });
    const twice = files
      .map((all) => all.map((parts) => `${parts.join('')}.png`))
      .chain((paths) => fc.tuple(fc.constant(paths), fc.shuffledSubarray(paths, { minLength: paths.length })));
    fc.assert(
      fc.property(twice, ([paths, shuffled]) => {
        const known = new Set(['4711', '4711-1', 'a_b']);
        const [one, other] = [groupPictures(named(...paths), known), groupPictures(named(...shuffled), known)];
        const bySku = ({ skus }: typeof one) => new Map(skus.map((sku) => [sku.externalReference, sku.paths]));
        expect(bySku(other)).toEqual(bySku(one));
        const all = [...one.skus, ...one.clashes].flatMap((sku) => sku.paths);
        expect([...all, ...one.unknown].toSorted()).toEqual(paths.toSorted());
      }),
    );
  });
});
