import { productItem, skuItem, unitSkuItem } from '../support/catalog-items.ts';
import type { Dice } from './dice.ts';

export type Item = Readonly<Record<string, unknown>>;

/** Items that a merchant sends for one product, one after the other. */
export interface PlannedProduct {
  readonly reference: string;
  readonly rounds: readonly PlannedItem[];
}

export interface PlannedItem {
  readonly item: Item;
  /** Value of `punctuation` that shows that the item is stored; null for an item that the core must reject. */
  readonly marker: number | null;
}

/**
 * Products for sale, never changed during the run: a weighable one in steps of 0.1 kg, and one that is sold by the
 * unit.
 */
export const SHELF: readonly Item[] = [
  productItem({ externalReference: 'shelf', slug: 'shelf', skus: [skuItem({ externalReference: 'by-weight' })] }),
  productItem({ externalReference: 'jar', slug: 'jar', skus: [unitSkuItem({ externalReference: 'by-unit' })] }),
];

/**
 * Each product is created, some after an attempt that must fail, some with a SKU that must fail; many are changed
 * afterwards.
 */
export function plannedProducts(dice: Dice, count: number): PlannedProduct[] {
  return Array.from({ length: count }, (_, index) => {
    const reference = `p${index}`;
    const roll = (what: string): number => dice(`${reference}:${what}`);
    const rounds: PlannedItem[] = [];
    const mark = (item: Item): PlannedItem => {
      const marker = rounds.length + 1;
      return { item: { externalReference: reference, ...item, punctuation: marker }, marker };
    };
    if (roll('rejected') < 0.1) rounds.push({ item: created(reference, { name: 'abc' }), marker: null });
    rounds.push(mark(created(reference, { skus: skusOf(reference, roll) })));
    if (roll('renamed') < 0.3) rounds.push(mark({ name: `Queijo ${reference}`, similarTerms: null }));
    if (roll('emptied') < 0.1) {
      rounds.push({ item: { externalReference: reference, longDescription: null, punctuation: 999 }, marker: null });
    }
    if (roll('inactive') < 0.2) rounds.push(mark({ active: false, fieldOfTheErp: 'ignored' }));
    if (roll('another') < 0.2) {
      rounds.push(mark({ skus: [unitSkuItem({ externalReference: `${reference}-3`, reference: `${reference}-3` })] }));
    }
    return { reference, rounds };
  });
}

function created(reference: string, more: Item): Item {
  return productItem({ externalReference: reference, slug: reference, similarTerms: 'queijo', ...more });
}

function skusOf(reference: string, roll: (what: string) => number): Item[] {
  const first = skuItem({ externalReference: `${reference}-1`, reference: `${reference}-1` });
  if (roll('skus') < 0.4) return [first];
  // A SKU without its EAN is rejected, and the product is stored.
  const ean = roll('bad sku') < 0.25 ? { ean: undefined } : {};
  return [first, unitSkuItem({ externalReference: `${reference}-2`, reference: `${reference}-2`, ...ean })];
}
