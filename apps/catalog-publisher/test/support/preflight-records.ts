import * as fc from 'fast-check';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { CATALOG_TOPICS, type CatalogKind } from '../../src/records/catalog-kinds.ts';
import { fullProduct, fullSku } from './product-samples.ts';
import { fullBrand } from './reference-samples.ts';

/** Records of one kind that are asked of preflight together; `~` in a text stands for the round's own prefix. */
export interface AskedRecords {
  readonly kind: CatalogKind;
  readonly texts: readonly string[];
}

/** References that no record of a round creates: they become known when something waits for them. */
const UNKNOWN = ['~x0', '~x1'] as const;
const PRODUCTS = ['~p0', '~p1'] as const;
const SKUS = ['~s0', '~s1', '~s2'] as const;
const BRANDS = ['~b0', '~b1'] as const;
const CATEGORIES = ['~c0', '~c1', '~c2'] as const;

/** The first value mostly, each of the others now and then. */
function mostly<T>(usual: fc.Arbitrary<T>, ...rare: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 4 * rare.length, arbitrary: usual },
    ...rare.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

const one = (...values: readonly JsonRecord[]): fc.Arbitrary<JsonRecord> => fc.constantFrom(...values);
const fields = (...parts: readonly fc.Arbitrary<JsonRecord>[]): fc.Arbitrary<JsonRecord> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonRecord);
const NOTHING = fc.constant<JsonRecord>({});

/** Keys of every kind; ids are new in most records. */
const control = fields(
  mostly(NOTHING, one({ sourceVersion: 1 }, { sourceVersion: '2' }, { sourceVersion: 3 }, { sourceVersion: 'x' })),
  mostly(NOTHING, one({ force: true })),
  mostly(NOTHING, one({ recordId: '~again' })),
);
const op = mostly(
  NOTHING,
  one({ op: 'deactivate' }, { op: 'activate' }),
  one({ op: 'delete' }),
  one({ op: 'upsert' }, { op: 'remove' }),
);

const brandOfProduct = mostly(
  NOTHING,
  one(...[...BRANDS, UNKNOWN[0]].map((each) => ({ brandExternalReference: each }))),
  one({ brandExternalReference: null }, { brandExternalReference: '' }),
);
const categoryOfProduct = mostly(
  NOTHING,
  one(...[...CATEGORIES, UNKNOWN[0]].map((each) => ({ categoryExternalReference: each }))),
  one({ categoryExternalReference: null }),
);
const values = one(
  {},
  { punctuation: 1 },
  { name: 'Queijo da casa' },
  { displayInSite: false },
  { displayInSite: true },
  { active: false },
  { active: true },
  { title: null },
  { similarTerms: null },
  { similarTerms: 'minas' },
);
const mistakes = one(
  { tittle: 'x' },
  { name: 'x' },
  { price: '3.10' },
  { commercialPolicyId: 'nenhuma' },
  { punctuation: -1 },
  { slug: '' },
  { fiscalCode: '1' },
  { skus: 'x' },
);
const reference = fc.constantFrom(...SKUS);
/** SKUs that share `reference` and bar code are one SKU under another name. */
const order = one(
  { reference: 'r-0', ean: '7891000100103' },
  { reference: 'r-1', ean: '7891000100103' },
  { ean: 'SEM GTIN' },
  { ean: '' },
);
const fullSkuRecord = fc
  .tuple(
    reference,
    order,
    mostly(NOTHING, one({ unitOfMeasurement: 'CX' }, { unitOfMeasurement: 'KILO' }, { cor: 'x' })),
  )
  .map(([externalReference, ...more]) => fullSku(Object.assign({ externalReference }, ...more) as JsonRecord));
const partialSku = fc
  .tuple(reference, one({ name: 'Pe\u00e7a' }, { name: null }, { weightReal: 0 }, {}, { active: false }))
  .map(([externalReference, more]): JsonRecord => ({ externalReference, ...more }));
const skus = mostly(
  NOTHING,
  fc.array(mostly(fullSkuRecord, partialSku), { minLength: 1, maxLength: 2 }).map((all) => ({ skus: all })),
  fc.array(partialSku, { maxLength: 2 }).map((all) => ({ skus: all })),
);

const product = fc
  .tuple(
    fc.constantFrom(...PRODUCTS),
    mostly(fc.constant('full'), fc.constant('partial'), fc.constant('bare')),
    fields(values, brandOfProduct, categoryOfProduct, skus, mostly(NOTHING, mistakes)),
    mostly(fc.constant(false), fc.constant(true)),
  )
  .map(([externalReference, shape, more, isRenamed]): JsonRecord => {
    const slug = `${externalReference}-slug`;
    if (shape === 'bare') return { externalReference };
    if (shape === 'partial') return { externalReference, ...more };
    const own = externalReference === PRODUCTS[0] ? SKUS[0] : SKUS[1];
    // The same SKU under another name where the product was sent before.
    const sku = fullSku({ externalReference: isRenamed ? SKUS[2] : own, reference: `${own}-r` });
    return { ...fullProduct({ externalReference, slug, skus: [sku] }), ...more };
  });
const brand = fc
  .tuple(
    fc.constantFrom(...BRANDS),
    mostly(fc.constant(true), fc.constant(false)),
    one({}, { title: 'Outra' }, { punctuation: 'x' }, { similarTerms: null }, { nome: 'x' }),
  )
  .map(([externalReference, isFull, more]): JsonRecord =>
    isFull ? fullBrand({ externalReference, ...more }) : { externalReference, ...more },
  );
const category = fc
  .tuple(
    fc.constantFrom(...CATEGORIES),
    mostly(one({ name: 'Queijos' }), NOTHING, one({ name: 7 })),
    mostly(
      NOTHING,
      one(...[...CATEGORIES, UNKNOWN[1]].map((each) => ({ parentExternalReference: each }))),
      one({ parentExternalReference: null }),
    ),
    mostly(NOTHING, one({ showInStoreFront: false }, { position: 2 }, { posicao: 2 })),
    mostly(
      NOTHING,
      one(
        { children: [{ externalReference: '~k0', name: 'Frescais' }] },
        { children: [{ externalReference: '~k0' }] },
        { children: [{ externalReference: '~c0', name: 'Curados' }] },
      ),
    ),
  )
  .map(([externalReference, ...more]): JsonRecord => Object.assign({ externalReference }, ...more) as JsonRecord);
const data = mostly(
  one({ data: { price: 1 } }, { data: { price: '1.0' } }, { data: { price: 2 } }),
  one({ data: 1 }, {}, { data: { price: 1 }, preco: 1 }),
);
const priceOrStock = fields(
  fc.constantFrom(...SKUS, UNKNOWN[0]).map((externalReference) => ({ externalReference })),
  mostly(NOTHING, one({ warehouse: '~w0' }, { policy: 'varejo' })),
  data,
);
const warehouse = fields(one({ externalReference: '~w0' }, { externalReference: '~w1' }), data);

const CONTENT: Readonly<Record<CatalogKind, fc.Arbitrary<JsonRecord>>> = {
  product: fields(product, op),
  brand: fields(brand, op),
  category: fields(category, op),
  price: fields(priceOrStock, mostly(NOTHING, one({ op: 'delete' }))),
  stock: fields(priceOrStock, mostly(NOTHING, one({ op: 'delete' }))),
  warehouse: fields(warehouse, mostly(NOTHING, one({ op: 'delete' }))),
};

const text = (content: fc.Arbitrary<JsonRecord>): fc.Arbitrary<string> =>
  fc.tuple(fields(content, control), fc.nat(19)).map(([record, odd]) => {
    const { externalReference: reference } = record;
    if (odd === 0) return '{"externalReference":';
    if (odd === 1) return JSON.stringify({ ...record, externalReference: null });
    if (odd === 2 && typeof reference === 'string')
      return JSON.stringify({ ...record, externalReference: ` ${reference}` });
    return JSON.stringify(record);
  });

/** Requests of one round, in their order; most rounds begin with a shop that has something. */
export const REQUESTS: fc.Arbitrary<AskedRecords[]> = fc.array(
  fc
    .constantFrom<CatalogKind>('product', 'product', 'product', 'brand', 'category', ...kinds())
    .chain((kind) =>
      fc.record({ kind: fc.constant(kind), texts: fc.array(text(CONTENT[kind]), { minLength: 1, maxLength: 6 }) }),
    ),
  { minLength: 2, maxLength: 5 },
);

function kinds(): CatalogKind[] {
  return Object.keys(CATALOG_TOPICS) as CatalogKind[];
}
