import type { Catalog, CatalogEntry } from '../catalog/catalog.service.ts';
import { textOrNull } from '../catalog/field-rules.ts';
import type { Core } from '../core/core.service.ts';
import type { Operation } from '../core/operation.ts';
import type { Files } from '../files/files.service.ts';
import type { AttachedFile } from '../files/stored-file.ts';
import type { Caller } from '../http/route.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import { EarlierStates } from '../store/earlier-states.ts';
import type { Store, Table } from '../store/store.service.ts';
import { isJsonArray, isJsonObject, keyOf, parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { ticksOf, utcMs } from '../values/local-time.ts';
import { refusedOnDemand } from '../values/refusal.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';
import { decideProduct, type KnownToCore } from './decide-product.ts';
import { productEvent, productReport } from './product-report.ts';
import type { CatalogSku, Product } from './product.ts';
import { readModel, type CatalogReference } from './read-model.ts';

/** A product as stored: its fields and SKUs are exact JSON text, which takes a fraction of the memory of objects. */
export interface ProductRow {
  readonly seq: number;
  readonly contractAccountId: string;
  readonly id: string;
  readonly externalReference: string;
  readonly slug: string;
  readonly skuReferences: readonly string[];
  readonly brandId: string | null;
  readonly categoryId: string | null;
  /** Counts of 100 ns, as text. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly text: string;
}

export interface ProductServices {
  readonly store: Store;
  readonly core: Core;
  readonly catalog: Catalog;
  readonly files: Files;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Products of one merchant by what is unique: reference, slug, and the references of their SKUs. */
interface Shelf {
  readonly products: Map<string, ProductRow>;
  readonly slugs: Map<string, ProductRow>;
  readonly skus: Map<string, ProductRow>;
}

/** Products of a batch with their SKUs: decided one after the other, stored and notified. */
export class Products {
  readonly table: Table<string, ProductRow>;
  private readonly shelves = new Map<string, Shelf>();
  private readonly byBrand = new Map<string, Set<string>>();
  private readonly earlier = new EarlierStates<string, ProductRow>();

  constructor(private readonly services: ProductServices) {
    this.table = services.store.table('products');
    this.table.watch((id, after, before) => this.follow(id, after, before));
    services.core.take('product', (operation) => this.apply(operation));
    services.catalog.onBrandRemoved = (brandId) => this.forgetBrand(brandId);
  }

  find(contractAccountId: string, externalReference: string): ProductRow | undefined {
    return this.shelves.get(contractAccountId)?.products.get(externalReference);
  }

  /** The merchant's product as a read shows it; undefined if it does not exist, or did not then. */
  shown(
    { contractAccountId, reading: { lagMs } }: Pick<Caller, 'contractAccountId' | 'reading'>,
    externalReference: string,
  ): ProductRow | undefined {
    const row = this.find(contractAccountId, externalReference);
    if (row === undefined || lagMs === 0) return row;
    const ms = this.services.clock.now() - lagMs;
    return this.earlier.at(row.id, ms) ?? (BigInt(row.createdAt) > ticksOf(ms) ? undefined : row);
  }

  clear(): void {
    this.table.clear();
    this.earlier.clear();
  }

  findSku(contractAccountId: string, externalReference: string): CatalogSku | undefined {
    const row = this.shelves.get(contractAccountId)?.skus.get(externalReference);
    const product = row && productOf(row);
    const sku = product?.skus.find((one) => one.externalReference === externalReference);
    return product && sku && { product, sku };
  }

  /** Answer of the product route. */
  readModel(row: ProductRow): JsonObject {
    const product = productOf(row);
    const { catalog } = this.services;
    return readModel(product, {
      contractAccountId: row.contractAccountId,
      hasImage: this.images(row.contractAccountId, product).length > 0,
      brand: referenceTo(catalog.brands.byId(row.brandId)),
      category: referenceTo(catalog.categories.byId(row.categoryId)),
    });
  }

  /** Images of all SKUs of a product, grouped by SKU and sorted by position. */
  images(contractAccountId: string, { skus }: Product): AttachedFile[] {
    return skus.flatMap(({ id }) => this.services.files.attached(contractAccountId, { entityId: id }));
  }

  /** Stores a product within a unit of work. */
  save(contractAccountId: string, product: Product): void {
    const { id, externalReference, brandId, categoryId, createdAt, updatedAt, fields, skus } = product;
    const before = this.table.get(id);
    if (before) this.earlier.end(id, before, this.services.clock.now());
    this.table.put(id, {
      seq: before?.seq ?? this.services.store.next('products'),
      contractAccountId,
      id,
      externalReference,
      slug: textOrNull(fields, 'slug') ?? '',
      skuReferences: skus.map((sku) => sku.externalReference),
      brandId,
      categoryId,
      createdAt: String(createdAt),
      updatedAt: String(updatedAt),
      text: JSON.stringify({ fields, skus }),
    });
  }

  private apply({ operationId, contractAccountId, payload, directive }: Operation): void {
    const { clock, ids, notifier } = this.services;
    const item = parseExact(payload);
    const now = ticksOf(clock.now());
    const refusal = refusedOnDemand(directive);
    const known: KnownToCore = { ...this.known(contractAccountId, item), ...(refusal && { refusal }) };
    const { result, product } = decideProduct(item, known, {
      now,
      newGuid: () => ids.newGuid(),
      newTraceId: () => ids.newTraceId(),
    });
    if (product) this.save(contractAccountId, product);
    notifier.notify({
      operationId,
      contractAccountId,
      relatedEntity: 'ProductWithSKUs',
      eventType: productEvent(result),
      data: productReport(result, utcMs(now)),
    });
  }

  /** Stored state of the things that an item names. */
  private known(contractAccountId: string, item: Json): Omit<KnownToCore, 'refusal'> {
    const shelf = this.shelves.get(contractAccountId);
    const reference = textOrNull(item, 'externalReference');
    const existing = reference === null ? undefined : shelf?.products.get(reference);
    const slug = textOrNull(item, 'slug');
    const slugOwner = slug === null ? undefined : shelf?.slugs.get(slug);
    const foreignSkus = skuReferences(item).filter((sku) => {
      const owner = shelf?.skus.get(sku);
      return owner !== undefined && owner.id !== existing?.id;
    });
    const { brands, categories } = this.services.catalog;
    const idNamed = (key: string, found: (text: string | null) => CatalogEntry | undefined) =>
      !isJsonObject(item) || keyOf(item, key) === undefined ? undefined : (found(textOrNull(item, key))?.id ?? null);
    return {
      existing: existing && productOf(existing),
      slugTaken: slugOwner !== undefined && slugOwner.id !== existing?.id,
      foreignSkus: new Set(foreignSkus),
      brandId: idNamed('brandExternalReference', (text) => brands.find(contractAccountId, text)),
      categoryId: idNamed('categoryExternalReference', (text) => categories.find(contractAccountId, text)),
    };
  }

  private forgetBrand(brandId: string): void {
    for (const id of this.byBrand.get(brandId) ?? []) {
      const row = this.table.get(id);
      if (row) this.table.put(id, { ...row, brandId: null });
    }
  }

  private follow(id: string, after: ProductRow | undefined, before: ProductRow | undefined): void {
    const { contractAccountId } = (after ?? before) as ProductRow;
    const shelf = this.shelves.get(contractAccountId) ?? { products: new Map(), slugs: new Map(), skus: new Map() };
    this.shelves.set(contractAccountId, shelf);
    if (before) {
      shelf.products.delete(before.externalReference);
      if (shelf.slugs.get(before.slug)?.id === id) shelf.slugs.delete(before.slug);
      for (const sku of before.skuReferences) shelf.skus.delete(sku);
      if (before.brandId !== null) this.byBrand.get(before.brandId)?.delete(id);
    }
    if (after) {
      shelf.products.set(after.externalReference, after);
      shelf.slugs.set(after.slug, after);
      for (const sku of after.skuReferences) shelf.skus.set(sku, after);
      if (after.brandId !== null) {
        this.byBrand.set(after.brandId, (this.byBrand.get(after.brandId) ?? new Set()).add(id));
      }
    }
  }
}

export function productOf({ text, createdAt, updatedAt, ...row }: ProductRow): Product {
  const { fields, skus } = parseExact(text) as unknown as Pick<Product, 'fields' | 'skus'>;
  const { id, externalReference, brandId, categoryId } = row;
  const times = { createdAt: BigInt(createdAt), updatedAt: BigInt(updatedAt) };
  return { id, externalReference, fields, skus, brandId, categoryId, ...times };
}

function referenceTo(entry: CatalogEntry | undefined): CatalogReference | null {
  if (entry === undefined) return null;
  const { id, externalReference, fields } = entry;
  return { id, name: textOrNull(fields, 'name') ?? '', externalReference };
}

function skuReferences(item: Json): string[] {
  const skus = isJsonObject(item) ? keyOf(item, 'skus') : undefined;
  return isJsonArray(skus) ? skus.flatMap((sku) => textOrNull(sku, 'externalReference') ?? []) : [];
}
