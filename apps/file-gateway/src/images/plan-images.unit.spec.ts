import { describe, expect, it } from '@jest/globals';
import type { ImageSet, PlacedContent } from '../platform/applied-images.ts';
import { planImages, shownImages } from './plan-images.ts';

/** Images such as `1a`: position 1, content a. */
const images = (...texts: readonly string[]): PlacedContent[] =>
  texts.map((text) => ({ order: Number(text[0]), sha256: text.slice(1) }));
const set = (texts: readonly string[], ...urls: readonly string[]): ImageSet => ({ images: images(...texts), urls });
const textOf = ({ order, sha256 }: PlacedContent) => `${order}${sha256}`;
const ABC = set(['1a', '2b', '3c'], 'u', 'v', 'w');

function planned(wanted: readonly string[], sets: readonly ImageSet[], list: readonly string[], replace = false) {
  const { send, removed } = planImages({ images: images(...wanted), replace }, sets, list);
  return [send.map(textOf).join(' '), removed.join(' ')];
}

describe("a plan for a SKU's images", () => {
  it.each<[string, readonly string[], readonly ImageSet[], readonly string[], [sent: string, removed: string]]>([
    ['all are there', ['1a', '2b', '3c'], [ABC], ['u', 'v', 'w'], ['', '']],
    ['some are there beside others', ['1a', '2b'], [ABC], ['u', 'v', 'w'], ['', '']],
    ['one is new', ['1a', '4d'], [ABC], ['u', 'v', 'w'], ['4d', '']],
    ['another order', ['1c', '2a', '3b'], [ABC], ['u', 'v', 'w'], ['1c 2a 3b', 'u v w']],
    ['one changed', ['1a', '2b', '3d'], [ABC], ['u', 'v', 'w'], ['1a 2b 3d', 'u v w']],
    [
      'one changed that has a set of its own',
      ['1a', '2d'],
      [set(['1a'], 'u'), set(['2b'], 'v')],
      ['u', 'v'],
      ['2d', 'v'],
    ],
    ['one changed, and others are not named', ['1d'], [ABC], ['u', 'v', 'w'], ['1d', '']],
    ['one was removed, and all are sent', ['1a', '2b', '3c'], [ABC], ['u', 'w'], ['1a 2b 3c', 'u w']],
    ['one was removed, and the rest is sent', ['1a', '2b'], [ABC], ['u', 'w'], ['1a 2b', 'u w']],
    ['two were removed, and new ones take their places', ['1d', '2e'], [ABC], ['w'], ['1d 2e', '']],
    ['all were removed', ['1a', '2b'], [ABC], [], ['1a 2b', '']],
    ['a stranger stays', ['1a', '2b', '3c'], [ABC], ['u', 'v', 'w', 'x'], ['', '']],
    ['one is there twice', ['1a', '2b', '3c'], [ABC, set(['1a'], 'x')], ['u', 'v', 'w', 'x'], ['', 'x']],
    ['an upload was repeated', ['1a'], [set(['1a'], 'u', 'v')], ['u', 'v'], ['', '']],
  ])('%s (rule 32)', (_what, wanted, sets, list, expected) => {
    expect(planned(wanted, sets, list)).toEqual(expected);
  });

  it.each<[string, readonly string[], readonly ImageSet[], readonly string[], [sent: string, removed: string]]>([
    ['all are there', ['1a', '2b', '3c'], [ABC], ['u', 'v', 'w'], ['', '']],
    ['a stranger goes', ['1a', '2b', '3c'], [ABC], ['u', 'v', 'w', 'x'], ['', 'x']],
    ['fewer', ['1a', '2b'], [ABC], ['u', 'v', 'w'], ['1a 2b', 'u v w']],
    ['one more', ['1a', '2b', '3c', '4d'], [ABC], ['u', 'v', 'w'], ['4d', '']],
    ['an upload was repeated', ['1a'], [set(['1a'], 'u', 'v')], ['u', 'v'], ['1a', 'u v']],
  ])('that replaces all others: %s (rule 32)', (_what, wanted, sets, list, expected) => {
    expect(planned(wanted, sets, list, true)).toEqual(expected);
  });
});

const shown = (wanted: readonly string[], sets: readonly ImageSet[], list: readonly string[]) =>
  shownImages(images(...wanted), sets, list);
const isInTheWay = (...about: Parameters<typeof shown>) => shown(...about).isInTheWay;

describe("a SKU's images at the end of a command", () => {
  it('are named by their places where their content is known, else by their addresses (rule 32)', () => {
    const sets = [ABC, set(['4d'], 'x')];
    expect(shown(['4d'], sets, ['u', 'v', 'w', 'x'])).toEqual({
      orders: [4],
      otherOrders: [1, 2, 3],
      otherUrls: [],
      isInTheWay: false,
    });
    expect(shown(['4d'], sets, ['u', 'w', 'x', 'y'])).toMatchObject({ otherOrders: [], otherUrls: ['u', 'w', 'y'] });
  });

  it('are in the way with a place or content of the command, or if they are not known (rule 32)', () => {
    expect(isInTheWay(['1d'], [ABC, set(['1d'], 'x')], ['u', 'v', 'w', 'x'])).toBe(true);
    expect(isInTheWay(['4a'], [ABC, set(['4a'], 'x')], ['u', 'v', 'w', 'x'])).toBe(true);
    expect(isInTheWay(['1a'], [ABC], ['u', 'v', 'w'])).toBe(false);
    expect(isInTheWay(['1a'], [ABC, set(['1a'], 'x')], ['u', 'v', 'w', 'x'])).toBe(true);
    expect(isInTheWay(['1a'], [ABC], ['u', 'v', 'w', 'stranger'])).toBe(true);
  });
});
