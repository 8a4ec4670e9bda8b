import { describe, expect, it } from '@jest/globals';
import { received } from '../../test/support/catalog-items.ts';
import { keyOf, type JsonObject } from '../values/exact-json.ts';
import { categoriesOf } from './category.ts';

function references(tree: unknown): unknown[] {
  return categoriesOf(received(tree)).map(({ item, parentReference }) => [
    keyOf(item as JsonObject, 'externalReference') ?? null,
    parentReference,
  ]);
}

describe('a category tree', () => {
  it('lists each parent before its children, and children in their order', () => {
    const tree = {
      externalReference: 'a',
      children: [
        { externalReference: 'b', children: [{ externalReference: 'c' }] },
        { externalReference: 'd', children: null },
      ],
    };
    expect(references(tree)).toEqual([
      ['a', undefined],
      ['b', 'a'],
      ['c', 'b'],
      ['d', 'a'],
    ]);
  });

  it('takes the parent from parentExternalReference at the top, and from the tree inside children', () => {
    const tree = {
      externalReference: 'b',
      parentExternalReference: 'a',
      children: [{ externalReference: 'c', parentExternalReference: 'elsewhere' }],
    };
    expect(references(tree)).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ]);
  });

  it('gives a child of a category without a reference no parent', () => {
    expect(references({ children: [{ externalReference: 'c' }] })).toEqual([
      [null, undefined],
      ['c', null],
    ]);
  });

  it('is read to any depth', () => {
    let tree: Record<string, unknown> = { externalReference: 'leaf' };
    for (let depth = 0; depth < 500; depth += 1) tree = { externalReference: `d${depth}`, children: [tree] };
    expect(references(tree)).toHaveLength(501);
  });
});
