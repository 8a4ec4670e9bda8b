/** One kind of absolute value. */
interface ValueSpec {
  readonly topic: `erp.catalog.${string}.v1`;
  /** Sentence of the contract. */
  readonly about: string;
  /** True for values of a SKU, which must be known first. */
  readonly isOfSku: boolean;
  /** The platform's name of the entity in its notifications. */
  readonly relatedEntity: string;
  /** Fields of the platform's entity that identify it together; none: a notification does not identify it. */
  readonly identifiedBy: readonly string[];
  /** Method of the platform client that posts such values. */
  readonly route: `post${string}`;
  /** Setting of the wire profile with the fields that are added to `data`. */
  readonly fields: `${string}Fields`;
  /** Words in the name of an ERP's file that holds such records. */
  readonly fileWords: readonly string[];
}

/**
 * The kinds of absolute values, of which the newest is sent while several wait (rule 30), in the order of the
 * contract. Topics, entities, schemas, checks and the command line follow from this table.
 */
export const VALUES = {
  price: {
    topic: 'erp.catalog.prices.v1',
    about: 'The price of a SKU, of one commercial policy where it names one.',
    isOfSku: true,
    relatedEntity: 'SKUPricing',
    identifiedBy: ['skuId', 'commercialPolicyId'],
    route: 'postPrices',
    fields: 'pricingFields',
    fileWords: ['price', 'preco'],
  },
  warehouse: {
    topic: 'erp.catalog.warehouses.v1',
    about: 'A warehouse.',
    isOfSku: false,
    relatedEntity: 'Warehouse',
    identifiedBy: ['id'],
    route: 'postWarehouses',
    fields: 'warehouseFields',
    fileWords: ['warehouse', 'deposito'],
  },
  stock: {
    topic: 'erp.catalog.stock.v1',
    about: 'The stock of a SKU in a warehouse.',
    isOfSku: true,
    relatedEntity: 'WarehouseSKU',
    identifiedBy: [],
    route: 'postStock',
    fields: 'stockFields',
    fileWords: ['stock', 'estoque'],
  },
} as const satisfies Record<string, ValueSpec>;

export type ValueKind = keyof typeof VALUES;
export type ValueTopic = (typeof VALUES)[ValueKind]['topic'];
export type ValueEntity = (typeof VALUES)[ValueKind]['relatedEntity'];

export const VALUE_KINDS = Object.keys(VALUES) as readonly ValueKind[];

export function isValueKind(kind: string): kind is ValueKind {
  return Object.hasOwn(VALUES, kind);
}

/** A value for each kind, by the kind's topic. */
export function byValueTopic<T>(of: (kind: ValueKind) => T): Readonly<Record<ValueTopic, T>> {
  return Object.fromEntries(VALUE_KINDS.map((kind) => [VALUES[kind].topic, of(kind)])) as Record<ValueTopic, T>;
}
