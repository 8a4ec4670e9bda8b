import type { CatalogKind } from '../../src/records/catalog-kinds.ts';
import { fullProduct, fullSku } from '../support/product-samples.ts';
import { Dice } from './dice.ts';
import { type Content, POLICIES, type SentRecord, skuOf } from './sent-record.ts';

/** Time-out of a call; a sequence waits for it often. */
export const CALL_MS = 1_500;
/**
 * A late call is carried out within so many time-outs after its caller has gone: one less than the app waits for, which
 * is left to a slow machine.
 */
const LATE_TIMEOUTS = 2;

/** How far what was sent has come before the next step. */
const GATES = ['taken', 'taken', 'taken', 'called', 'ended'] as const;
export type Gate = (typeof GATES)[number];

/** The command line is killed at a call of the operations API behind so many others, which has its effect or not. */
interface Kill {
  readonly passed: number;
  readonly lost: 'call' | 'answer';
}

interface Burst {
  readonly kind: 'records';
  readonly records: readonly SentRecord[];
  readonly until: Gate;
  /** True: all before them have ended. A tree and records of its categories have different keys, and so no order. */
  readonly isAlone?: true;
}

export type Step =
  | Burst
  /** A file, by its place in the plan; `waits`: the next step waits for the command's end. */
  | { readonly kind: 'load'; readonly file: number; readonly kill: Kill | null; readonly waits: boolean };

interface PlannedFile {
  readonly kind: CatalogKind;
  /** Without ids. */
  readonly records: readonly Content[];
}

/** The sequence of one shop. */
export interface Plan {
  readonly seed: number;
  /** From the first attempt of a record to its end without an outcome. */
  readonly deadlineMs: number;
  readonly files: readonly PlannedFile[];
  /** The first record of each entity. */
  readonly creations: Burst;
  readonly steps: readonly Step[];
}

/** Faults that the platform has for all shops of a run. */
export interface Weather {
  readonly faults: readonly object[];
  /** A route that hardly ever answers, once all entities are created; records of it end without an outcome. */
  readonly outage: object | null;
  /** True: the platform also notifies what entered. */
  readonly notifiesAll: boolean;
}

export const BRANDS = ['b0', 'b1', 'b2'] as const;
/** No product names it, so that it can be removed. */
const REMOVABLE_BRAND = 'b2';
export const CATEGORIES = ['c0', 'c1', 'c2'] as const;
/** The one that stands below another one. */
const INNER = 'c1';
const OUTER = CATEGORIES.filter((each) => each !== INNER);
export const PRODUCTS = ['p0', 'p1', 'p2'] as const;
const WAREHOUSES = ['w0', 'w1'] as const;
const PRODUCTS_IN_FILES: readonly string[] = ['p1', 'p2'];
/** Of products as they are created; a second SKU may come later. */
const SKUS_OF_CREATION = [skuOf('p0', 1), skuOf('p1', 1)];
/** Few, so that values return to former ones. */
const VALUES = 5;
const FACTORS = [0.1, 0.2, 0.5];
const MOST_OF_A_BURST = 6;
const DEADLINES_MS = [4_000, 8_000];

const ROUTES = ['Brands', 'Categories', 'Products', 'Pricing', 'Warehouses', 'Warehouses/sku'];

/** Faults of a run, each with its own chance. */
export function weatherOf(seed: number): Weather {
  const dice = new Dice(seed ^ 0x5f_37_59_df);
  const writes = '^(POST|DELETE) /v1/batch';
  const kinds: readonly (readonly [chance: number, ...faults: object[]])[] = [
    [0.7, { kind: 'late', route: writes, share: 0.2, ms: LATE_TIMEOUTS * CALL_MS }],
    [
      0.5,
      { kind: 'page', route: '(GET|POST) /v1/batch', share: 0.1 },
      // The document shows no answer of a removal, so JSON in its place may be one, and brands cannot be read.
      { kind: 'page', form: 'html', route: 'DELETE /v1/batch', share: 0.1 },
    ],
    [0.5, { kind: 'drop-before', route: ' /v1/batch', share: 0.1 }],
    [0.5, { kind: 'drop-after', route: writes, share: 0.2 }],
    [0.5, { kind: 'error-after', route: writes, share: 0.2, status: dice.one([500, 502, 503]) }],
    [0.5, { kind: 'webhook-double', share: 0.5 }],
    [0.5, { kind: 'webhook-shuffle', share: 0.5, ms: 1_500 }],
    [0.4, { kind: 'webhook-delay', share: 0.2, ms: 2_500 }],
    // That something entered is notified of products alone.
    [0.3, { kind: 'core-silent', route: 'POST /v1/batch/Products', share: 0.15 }],
    // The platform notifies only failures of the others, and nobody would know of a lost one.
    [0.4, { kind: 'webhook-lose', event: 'ProductWithSKUs_.*', share: 0.2 }],
  ];
  const faults = kinds
    .filter(([chance]) => dice.chance(chance))
    .flatMap(([, ...each], index) => each.map((fault) => ({ ...fault, seed: seed + index })));
  const outage = {
    kind: dice.one(['drop-before', 'drop-after', 'error-after']),
    route: `(POST|DELETE) /v1/batch/${dice.one(ROUTES)}$`,
    share: 0.85,
    seed,
  };
  return { faults, outage: dice.chance(0.4) ? outage : null, notifiesAll: dice.chance(0.3) };
}

/** A sequence of so many steps. */
export function planOf(seed: number, steps: number): Plan {
  const maker = new PlanMaker(new Dice(seed));
  return { seed, ...maker.plan(steps) };
}

/** Whole prices, stock and products, two files of each kind with other values. */
const FILE_KINDS = ['price', 'stock', 'product'] as const satisfies readonly CatalogKind[];

class PlanMaker {
  readonly #dice: Dice;
  readonly #deleted = new Set<string>();
  readonly #sent: SentRecord[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  plan(steps: number): Omit<Plan, 'seed'> {
    const dice = this.#dice;
    const deadlineMs = dice.one(DEADLINES_MS);
    const kinds = dice.chance(0.5) ? (['price', 'stock'] as const) : ([dice.one(FILE_KINDS), 'product'] as const);
    const files = kinds.flatMap((kind) => [this.#file(kind), this.#file(kind)]);
    const creations: Burst = {
      kind: 'records',
      records: this.#creations(),
      until: dice.one(GATES),
    };
    const others = Array.from({ length: steps }, () => this.#step(files.length));
    return { deadlineMs, files, creations, steps: others };
  }

  #step(files: number): Step {
    const dice = this.#dice;
    if (dice.chance(0.25)) {
      const kill: Kill = { passed: dice.below(3), lost: dice.one(['call', 'answer'] as const) };
      return { kind: 'load', file: dice.below(files), kill: dice.chance(0.35) ? kill : null, waits: dice.chance(0.5) };
    }
    if (dice.chance(0.12) && !CATEGORIES.some((each) => this.#deleted.has(each)))
      return { kind: 'records', records: [this.#tree(dice.one(OUTER))], until: 'ended', isAlone: true };
    const records = Array.from({ length: dice.between(1, MOST_OF_A_BURST) }, () => this.#any());
    return { kind: 'records', records, until: dice.one(GATES) };
  }

  #any(): SentRecord {
    const dice = this.#dice;
    if (dice.chance(0.08)) return dice.one(this.#sent);
    const price = () => this.#record('price', this.#price(dice.one(SKUS_OF_CREATION), dice.one(Object.keys(POLICIES))));
    const stock = () => this.#record('stock', this.#stock(dice.one(SKUS_OF_CREATION), dice.one(WAREHOUSES)));
    const product = () => this.#product(dice.one(PRODUCTS));
    const others = [
      () => this.#brand(dice.one(BRANDS)),
      () => this.#category(dice.one(CATEGORIES)),
      () => this.#record('warehouse', this.#warehouse(dice.one(WAREHOUSES))),
    ];
    return dice.one([product, product, product, price, price, stock, stock, ...others])();
  }

  /** In the order in which their topics may be read or not: what waits for others continues by itself. */
  #creations(): SentRecord[] {
    return [
      ...PRODUCTS.map((each) => this.#record('product', this.#wholeProduct(each))),
      ...BRANDS.map((each) => this.#record('brand', this.#wholeBrand(each))),
      ...CATEGORIES.map((each) => this.#record('category', this.#wholeCategory(each))),
      ...WAREHOUSES.map((each) => this.#record('warehouse', this.#warehouse(each))),
    ];
  }

  #file(kind: (typeof FILE_KINDS)[number]): PlannedFile {
    if (kind === 'product') return { kind, records: PRODUCTS_IN_FILES.map((each) => this.#wholeProduct(each)) };
    const ofSku = (sku: string): Content[] =>
      kind === 'price'
        ? Object.keys(POLICIES).map((alias) => this.#price(sku, alias))
        : WAREHOUSES.map((warehouse) => this.#stock(sku, warehouse));
    return { kind, records: SKUS_OF_CREATION.flatMap(ofSku) };
  }

  #record(kind: CatalogKind, content: Content & { readonly externalReference: string }): SentRecord {
    const id = `r-${this.#sent.length}`;
    const forced = this.#dice.chance(0.05) && content['op'] !== 'delete';
    const record = {
      id,
      kind,
      reference: content.externalReference,
      content: { ...content, recordId: id, ...(forced && { force: true }) },
    };
    this.#sent.push(record);
    return record;
  }

  #product(reference: string): SentRecord {
    const dice = this.#dice;
    if (this.#deleted.has(reference))
      return this.#record('product', this.#afterDeletion(reference, this.#wholeProduct(reference)));
    const roll = dice.next();
    if (roll < 0.12) return this.#record('product', this.#wholeProduct(reference));
    if (roll < 0.2)
      return this.#record('product', { externalReference: reference, op: dice.one(['activate', 'deactivate']) });
    if (roll < 0.3) {
      this.#deleted.add(reference);
      return this.#record('product', { externalReference: reference, op: 'delete' });
    }
    return this.#record('product', { externalReference: reference, ...this.#productPart(reference) });
  }

  /** Content without a word on whether it is shown, or with the command that shows it. */
  #afterDeletion<C extends Content>(reference: string, whole: C): C {
    this.#deleted.delete(reference);
    return this.#dice.chance(0.7) ? whole : { ...whole, op: 'activate' };
  }

  #wholeProduct(reference: string) {
    const skus = [
      fullSku({ externalReference: skuOf(reference, 1), reference: skuOf(reference, 1), ...this.#skuPart() }),
    ];
    const own = { externalReference: reference, slug: `produto-${reference}`, skus };
    const product = fullProduct({ ...own, commercialPolicyId: POLICIES['varejo']!, ...this.#texts() });
    return {
      ...product,
      externalReference: reference,
      brandExternalReference: this.#dice.one(['b0', 'b1']),
      categoryExternalReference: this.#dice.one(CATEGORIES),
    };
  }

  /** Some of the fields; those that may be empty are null at times. */
  #productPart(reference: string): Content {
    const dice = this.#dice;
    const second = fullSku({
      externalReference: skuOf(reference, 2),
      reference: skuOf(reference, 2),
      ...this.#skuPart(),
    });
    const parts: readonly (() => Content)[] = [
      () => this.#texts(),
      () => ({ punctuation: dice.below(VALUES) }),
      () => ({ similarTerms: dice.chance(0.4) ? null : `termo ${dice.below(VALUES)}` }),
      () => ({ brandExternalReference: dice.one([null, 'b0', 'b1']) }),
      () => ({ categoryExternalReference: dice.one([null, ...CATEGORIES]) }),
      () => ({ displayInSite: dice.chance(0.5) }),
      () => ({ fiscalCode: dice.chance(0.3) ? null : `0406102${dice.below(VALUES)}` }),
      () => ({ skus: [{ externalReference: skuOf(reference, 1), weightReal: 1 + dice.below(VALUES) }] }),
      // The read model does not show it.
      () => ({ skus: [{ externalReference: skuOf(reference, 1), arithmeticFactor: dice.one(FACTORS) }] }),
      () => ({ skus: [second] }),
    ];
    return Object.assign({}, ...Array.from({ length: dice.between(1, 3) }, () => dice.one(parts)())) as Content;
  }

  #texts() {
    return { name: `Queijo número ${this.#dice.below(VALUES)}`, punctuation: this.#dice.below(VALUES) };
  }

  #skuPart() {
    const weightReal = 1 + this.#dice.below(VALUES);
    return { name: `Peça ${this.#dice.below(VALUES)}`, weightReal, arithmeticFactor: this.#dice.one(FACTORS) };
  }

  #brand(reference: string): SentRecord {
    if (this.#deleted.delete(reference)) return this.#record('brand', this.#wholeBrand(reference));
    if (reference === REMOVABLE_BRAND && this.#dice.chance(0.5)) {
      this.#deleted.add(reference);
      return this.#record('brand', { externalReference: reference, op: 'delete' });
    }
    if (this.#dice.chance(0.6)) return this.#record('brand', this.#wholeBrand(reference));
    return this.#record('brand', { externalReference: reference, punctuation: this.#dice.below(VALUES) });
  }

  #wholeBrand(reference: string) {
    const dice = this.#dice;
    const name = `Marca ${dice.below(VALUES)}`;
    const similarTerms = dice.chance(0.5) ? null : `termo ${dice.below(VALUES)}`;
    return {
      externalReference: reference,
      name,
      title: name,
      description: name,
      punctuation: dice.below(VALUES),
      similarTerms,
    };
  }

  #category(reference: string): SentRecord {
    const dice = this.#dice;
    if (this.#deleted.delete(reference))
      return this.#record('category', { externalReference: reference, op: 'activate' });
    const roll = dice.next();
    if (roll < 0.15) {
      this.#deleted.add(reference);
      return this.#record('category', { externalReference: reference, op: 'delete' });
    }
    if (roll < 0.3)
      return this.#record('category', { externalReference: reference, op: dice.one(['activate', 'deactivate']) });
    if (roll < 0.6) return this.#record('category', { externalReference: reference, position: dice.below(VALUES) });
    return this.#record('category', this.#wholeCategory(reference));
  }

  #tree(reference: string): SentRecord {
    const { parentExternalReference: _, ...inner } = this.#wholeCategory(INNER);
    return this.#record('category', { ...this.#wholeCategory(reference), children: [inner] });
  }

  /** The second one stands below one of the others. */
  #wholeCategory(reference: string) {
    const name = `Categoria ${this.#dice.below(VALUES)}`;
    return {
      externalReference: reference,
      ...(reference === INNER && { parentExternalReference: this.#dice.one(OUTER) }),
      name,
      title: name,
      description: name,
      position: this.#dice.below(VALUES),
    };
  }

  #warehouse(reference: string) {
    const data = { name: `Loja ${this.#dice.below(VALUES)}`, ...(this.#dice.chance(0.5) && { id: reference }) };
    return { externalReference: reference, data };
  }

  #price(sku: string, alias: string) {
    const policy = POLICIES[alias]!;
    const names: readonly (readonly [outside: object, inside: object])[] = [
      [{ policy: alias }, {}],
      [{ policy }, {}],
      [{}, { commercialPolicyId: policy }],
      [{ policy: alias }, { commercialPolicyId: policy }],
    ];
    const [outside, inside] = this.#dice.one(names);
    return { externalReference: sku, ...outside, data: { price: `${this.#dice.below(VALUES)}.90`, ...inside } };
  }

  #stock(sku: string, warehouse: string) {
    const names: readonly (readonly [outside: object, inside: object])[] = [
      [{ warehouse }, {}],
      [{}, { warehouseId: warehouse }],
      [{ warehouse }, { warehouseId: warehouse }],
    ];
    const [outside, inside] = this.#dice.one(names);
    return { externalReference: sku, ...outside, data: { quantity: this.#dice.below(VALUES), ...inside } };
  }
}
