import type { TopicName } from '@gondola/shared/topics/topics';
import { POLICY } from './product-samples.ts';
import { brand, category, product } from './references.ts';

/** A record with its topic and id. */
export interface SequenceRecord {
  readonly topic: TopicName;
  readonly value: Record<string, unknown> & { readonly externalReference: string; readonly recordId: string };
}

/** Records about entities of their own: those of `setup` come before all others, and wait for one another. */
export interface RecordSequence {
  readonly setup: readonly SequenceRecord[];
  readonly records: readonly SequenceRecord[];
}

/** Alias of `POLICY` in the tenants of a sequence. */
export const ALIAS = 'varejo';
const OTHER_POLICY = '6f1c0d6e-0000-4000-8000-00000000000b';

/**
 * A random sequence: brands that are changed and removed, categories and products that move, some of them to a mistyped
 * reference that a later record corrects, and prices, warehouses and stock, named beside `data`, inside it, or under an
 * alias. A removed brand is named no more.
 *
 * @param name prefix of all references
 */
export function randomSequence(name: string, length: number, random: () => number): RecordSequence {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const brands = [0, 1, 2].map((n) => `${name}-b${n}`);
  const categories = [0, 1, 2, 3].map((n) => `${name}-c${n}`);
  const products = [0, 1].map((n) => `${name}-p${n}`);
  const brandOf = new Map(products.map((each) => [each, brands[0]!]));
  const mistyped = new Set<string>();
  let count = 0;
  const record = (kind: string, externalReference: string, more: object): SequenceRecord => ({
    topic: `erp.catalog.${kind}.v1` as TopicName,
    value: { ...more, externalReference, recordId: `${name}-${count++}` },
  });
  const setup = [
    ...brands.map((each) => record('brands', each, brand(each))),
    ...categories.map((each, n) =>
      record('categories', each, category(each, n === 0 ? {} : { parentExternalReference: categories[n - 1]! })),
    ),
    ...products.map((each) =>
      record(
        'products',
        each,
        product(each, { slug: each, brandExternalReference: brands[0]!, name: `Produto ${each}` }),
      ),
    ),
  ];
  const changeBrand = () => {
    const free = brands.length > 1 && random() < 0.4 ? brands.find((each) => isFree(each)) : undefined;
    if (free === undefined) return record('brands', pick(brands), { title: `Marca ${count}` });
    brands.splice(brands.indexOf(free), 1);
    return record('brands', free, { op: 'delete' });
  };
  /** Not the brand of a product, nor one that an open record waits to leave. */
  const isFree = (each: string): boolean => ![...brandOf.values()].includes(each) && mistyped.size === 0;
  const changeCategory = () => {
    const parentExternalReference = random() < 0.3 ? null : pick(categories);
    return record('categories', pick(categories), random() < 0.7 ? { parentExternalReference } : { position: count });
  };
  const changeProduct = () => {
    const each = pick(products);
    if (random() < 0.3) {
      mistyped.add(each);
      return record('products', each, { brandExternalReference: `${name}-wrogn`, title: `Título ${count}` });
    }
    if (random() < 0.6) return record('products', each, { name: `Produto ${count}` });
    mistyped.delete(each);
    brandOf.set(each, pick(brands));
    return record('products', each, {
      brandExternalReference: brandOf.get(each)!,
      categoryExternalReference: pick(categories),
    });
  };
  const changePrice = () => {
    const data = { n: count, price: `${count}.00` };
    const policy = pick([ALIAS, POLICY, POLICY.toUpperCase(), OTHER_POLICY]);
    const named = random() < 0.5 ? { policy, data } : { data: { ...data, commercialPolicyId: policy } };
    return record('prices', `${pick(products)}-1`, named);
  };
  const changeStock = () => {
    const data = { n: count, quantity: count };
    const warehouse = pick(['loja-1', 'loja-2', 'loja-3']);
    const named = random() < 0.5 ? { warehouse, data } : { data: { ...data, warehouseId: warehouse } };
    return record(
      'stock',
      `${pick(products)}-1`,
      random() < 0.1 ? { warehouse: 'loja-4', data: { warehouseId: 'loja-5' } } : named,
    );
  };
  const changeWarehouse = () =>
    record('warehouses', `${name}-w${below(2)}`, { data: { id: `${name}-${below(2)}`, n: count } });
  const changes = [
    changeBrand,
    changeCategory,
    changeCategory,
    changeProduct,
    changeProduct,
    changePrice,
    changePrice,
    changeStock,
    changeStock,
    changeWarehouse,
  ];
  const records = Array.from({ length }, () => pick(changes)());
  // Every mistyped reference is corrected in the end.
  const corrections = [...mistyped].map((each) =>
    record('products', each, { brandExternalReference: brandOf.get(each)!, title: `Título ${count}` }),
  );
  return { setup, records: [...records, ...corrections] };
}
