import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { categoryNodes, isInCycle, mapCategories } from './category-tree.ts';
import type { JsonRecord } from '../json/json-digits.ts';

interface Tree {
  readonly externalReference: string;
  readonly children?: Tree[];
}
const anyTree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record(
    { externalReference: fc.uuid(), children: fc.array(tie('tree'), { maxLength: 3, depthIdentifier: 'tree' }) },
    { requiredKeys: ['externalReference'] },
  ),
})).tree;

function countOf({ children = [] }: Tree): number {
  return children.reduce((sum, child) => sum + countOf(child), 1);
}

describe('a tree of categories', () => {
  it('is flattened to a list with every category once, after its parent (rule 24)', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const nodes = categoryNodes(tree as unknown as JsonRecord);
        expect(nodes).toHaveLength(countOf(tree));
        const before = new Set<string | null | undefined>([null]);
        for (const { reference, container, own } of nodes) {
          expect(before.has(container)).toBe(true);
          expect(own).not.toHaveProperty('children');
          before.add(reference);
        }
      }),
    );
  });

  it('keeps its form when its categories are changed', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const record = tree as unknown as JsonRecord;
        expect(mapCategories(record, (own) => own)).toEqual(record);
        const marked = mapCategories(record, (own, { isRoot }) => ({ ...own, isRoot }));
        expect(categoryNodes(marked).map(({ own }) => own['isRoot'])).toEqual(
          categoryNodes(record).map((_, index) => index === 0),
        );
      }),
    );
  });

  it('has a cycle exactly if the path upward returns to its start, for any parents', () => {
    const parents = fc.array(fc.option(fc.nat(7), { nil: null }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(parents, fc.nat(7), (list, start) => {
        const parentOf = (reference: string) => {
          const parent = list[Number(reference)];
          return parent === null || parent === undefined ? null : String(parent);
        };
        const way: (string | null)[] = [];
        for (let at: string | null = parentOf(String(start)); at !== null && way.length < 8; at = parentOf(at))
          way.push(at);
        expect(isInCycle(String(start), parentOf)).toBe(way.includes(String(start)));
      }),
    );
  });
});
