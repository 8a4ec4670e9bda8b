import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Catalog } from '../catalog/catalog.service.ts';
import { textOrNull } from '../catalog/field-rules.ts';
import type { Files } from '../files/files.service.ts';
import { FILE_TYPES, type StoredFile } from '../files/stored-file.ts';
import { MORNING } from '../orders/order.ts';
import type { PricesAndStock } from '../prices-and-stock/prices-and-stock.service.ts';
import type { Product } from '../products/product.ts';
import type { Products } from '../products/products.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { PlayShopper } from '../shopper/play-shopper.service.ts';
import type { Store } from '../store/store.service.ts';
import type { TenantRow, Tenants } from '../tenants/tenants.service.ts';
import type { JsonObject } from '../values/exact-json.ts';
import { guidOf } from '../values/guid.ts';
import { ticksOf } from '../values/local-time.ts';
import {
  dice,
  seedBrand,
  seedCategory,
  seedPicture,
  seedProduct,
  seedPrice,
  seedStock,
  type Dice,
} from './seed-content.ts';

export interface SeedOrder {
  readonly seed: number;
  readonly products: number;
  readonly orders: number;
  readonly brands: number;
  readonly categories: number;
  readonly pictures: number;
  /** True: the merchant is notified of the orders. */
  readonly notify: boolean;
  readonly contractAccountId?: string | undefined;
}

export interface SeedServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: Tenants;
  readonly catalog: Catalog;
  readonly products: Products;
  readonly records: PricesAndStock;
  readonly files: Files;
  readonly shopper: PlayShopper;
}

const CREDENTIALS = { username: 'erp', password: 'erp', apiKey: 'key' };
const PAYMENTS = ['approved', 'approved', 'approved', 'pending', 'refused'] as const;

/**
 * Fills a shop of any size; the same seed makes the same shop in an empty sandbox. A small one is made in one unit of
 * work, so that a kill leaves all of it or nothing; between the units of a larger one, other calls have their turn.
 */
export class Seed {
  constructor(private readonly services: SeedServices) {}

  async carryOut(wanted: SeedOrder) {
    const begun = performance.now();
    const { tenant, isNew, skus, numbers } = await this.fillShop(wanted);
    const { contractAccountId } = tenant;
    const { username, password, apiKey } = isNew
      ? CREDENTIALS
      : { username: tenant.username, password: null, apiKey: null };
    return {
      contractAccountId,
      username,
      password,
      apiKey,
      brands: wanted.brands,
      categories: wanted.categories,
      products: wanted.products,
      skus: skus.length,
      orders: { count: numbers.length, first: numbers[0] ?? null, last: numbers.at(-1) ?? null },
      ms: Math.round(performance.now() - begun),
    };
  }

  private async fillShop(wanted: SeedOrder): Promise<Seeded> {
    const { files } = this.services;
    const pictures = await this.receivePictures(wanted);
    try {
      return await this.inUnits(this.parts(wanted, pictures));
    } finally {
      await files.discard(pictures.filter(({ id }) => !files.table.has(id)));
    }
  }

  /** Carries out all parts, many in one unit of work. */
  private async inUnits<T>(parts: Iterator<void, T>): Promise<T> {
    const { store } = this.services;
    for (;;) {
      const last = store.unit(() => {
        let part = parts.next();
        for (let made = 1; made < PARTS_OF_UNIT && part.done !== true; made += 1) part = parts.next();
        return part;
      });
      await store.synced();
      if (last.done === true) return last.value;
      await turn();
    }
  }

  /** Yields after each part: the merchant, a brand, a category, a product, a picture or an order. */
  private *parts(wanted: SeedOrder, pictures: readonly StoredFile[]): Generator<void, Seeded> {
    const roll = dice(wanted.seed);
    const guid = guids(wanted.seed);
    const { tenant, isNew } = this.tenantOf(wanted, guid);
    yield;
    const { contractAccountId } = tenant;
    const skus = yield* this.catalog(wanted, contractAccountId, roll, guid);
    yield* this.attach(pictures, contractAccountId, skus);
    const numbers = yield* this.buy(wanted, contractAccountId, skus, roll);
    return { tenant, isNew, skus, numbers };
  }

  /** The named merchant, or the only one; else the one of this seed, who is opened. */
  private tenantOf({ contractAccountId }: SeedOrder, guid: () => string): { tenant: TenantRow; isNew: boolean } {
    const { tenants } = this.services;
    if (contractAccountId !== undefined) return { tenant: tenants.chosen(contractAccountId), isNew: false };
    const [only, ...others] = tenants.all();
    if (only && others.length === 0) return { tenant: only, isNew: false };
    const own = guid();
    const known = tenants.find(own);
    if (known) return { tenant: known, isNew: false };
    tenants.save({ contractAccountId: own, ...CREDENTIALS }, guid);
    return { tenant: tenants.chosen(own), isNew: true };
  }

  /** Returns the SKUs, each with its price. */
  private *catalog(
    wanted: SeedOrder,
    contractAccountId: string,
    roll: Dice,
    guid: () => string,
  ): Generator<void, SeededSku[]> {
    const { catalog, products, records, clock } = this.services;
    const now = ticksOf(clock.now());
    const skus: SeededSku[] = [];
    const brandIds: string[] = [];
    const categoryIds: string[] = [];
    for (let n = 0; n < wanted.brands; n += 1) {
      const fields = seedBrand(n);
      const externalReference = textOf(fields, 'externalReference');
      const id = catalog.brands.find(contractAccountId, externalReference)?.id ?? guid();
      brandIds.push(id);
      catalog.brands.save(contractAccountId, { id, externalReference, fields });
      yield;
    }
    for (let n = 0; n < wanted.categories; n += 1) {
      const fields = seedCategory(n);
      const externalReference = textOf(fields, 'externalReference');
      const id = catalog.categories.find(contractAccountId, externalReference)?.id ?? guid();
      const parentId = n < 4 ? null : (categoryIds[n % 4] ?? null);
      categoryIds.push(id);
      catalog.categories.save(contractAccountId, { id, externalReference, fields, parentId });
      yield;
    }
    for (let n = 0; n < wanted.products; n += 1) {
      const { fields, sku } = seedProduct(n, roll);
      const externalReference = textOf(fields, 'externalReference');
      const skuReference = textOf(sku, 'externalReference');
      const known = products.find(contractAccountId, externalReference);
      const skuId = known ? products.findSku(contractAccountId, skuReference)?.sku.id : undefined;
      const one = { id: skuId ?? guid(), externalReference: skuReference, fields: sku };
      const product: Product = {
        id: known?.id ?? guid(),
        externalReference,
        fields,
        skus: [one],
        brandId: brandIds[n % (brandIds.length || 1)] ?? null,
        categoryId: categoryIds[n % (categoryIds.length || 1)] ?? null,
        createdAt: now,
        updatedAt: now,
      };
      const price = seedPrice(n, one, textOf(fields, 'commercialPolicyId'), roll);
      products.save(contractAccountId, product);
      // Prices and stock of a part: the whole would take more memory than the products.
      if (n < PRICED) {
        records.save(contractAccountId, 'SKUPricing', price.record);
        records.save(contractAccountId, 'WarehouseSKU', seedStock(one, roll));
      }
      skus.push({
        skuExternalReference: skuReference,
        skuId: one.id,
        unitPrice: price.text,
        isWeighable: sku['unitOfMeasurement'] === 'Kg',
      });
      yield;
    }
    return skus;
  }

  /** Contents of the pictures of the first products, before the units of work, which do not wait. */
  private async receivePictures({ pictures, products }: SeedOrder): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for (let n = 0; n < Math.min(pictures, products); n += 1) {
      const { fields, sku } = seedProduct(n, () => 0);
      const reference = textOf(sku, 'externalReference');
      const content = streamOf([Buffer.from(seedPicture(textOf(fields, 'name'), reference), 'utf8')]);
      const fileName = `${reference}.svg`;
      files.push(await this.services.files.receive({ fileName, mediaType: 'image/svg+xml', content }));
    }
    return files;
  }

  /** A SKU that has a picture keeps it. */
  private *attach(
    pictures: readonly StoredFile[],
    contractAccountId: string,
    skus: readonly SeededSku[],
  ): Generator<void, void> {
    const { files } = this.services;
    for (const [n, file] of pictures.entries()) {
      const { skuId, skuExternalReference } = skus[n] as SeededSku;
      if (files.attached(contractAccountId, { entityId: skuId }).length === 0) {
        files.accept(contractAccountId, file);
        const place = { entityId: skuId, externalReference: skuExternalReference, displayOrder: 1 };
        files.attach(file.id, { fileType: FILE_TYPES.sku, ...place });
      }
      yield;
    }
  }

  private *buy(
    wanted: SeedOrder,
    contractAccountId: string,
    skus: readonly SeededSku[],
    roll: Dice,
  ): Generator<void, number[]> {
    const numbers: number[] = [];
    if (skus.length === 0) return numbers;
    for (let n = 0; n < wanted.orders; n += 1) {
      const items = Array.from({ length: 1 + roll(3) }, () => {
        const { skuExternalReference, unitPrice, isWeighable } = skus[roll(skus.length)] as SeededSku;
        return {
          skuExternalReference,
          unitPrice,
          quantity: isWeighable ? `0.${250 + roll(700)}` : String(1 + roll(4)),
        };
      });
      const payment = n === 0 ? 'approved' : (PAYMENTS[roll(PAYMENTS.length)] ?? 'approved');
      const purchase = {
        contractAccountId,
        items,
        deliveryType: 1,
        window: MORNING,
        origin: 2,
        payment,
        giftCard: 0,
        freight: 990,
      } as const;
      const outcome = this.services.shopper.buy(purchase, wanted.notify);
      if (outcome.kind === 'placed') numbers.push(outcome.order.number);
      yield;
    }
    return numbers;
  }
}

/** Parts in one unit of work, after which other calls have their turn. */
const PARTS_OF_UNIT = 1_000;
/** Number of products that get a price and stock. */
const PRICED = 5_000;

interface SeededSku {
  readonly skuExternalReference: string;
  readonly skuId: string;
  readonly unitPrice: string;
  readonly isWeighable: boolean;
}

interface Seeded {
  readonly tenant: TenantRow;
  /** True: the seed has opened the merchant. */
  readonly isNew: boolean;
  readonly skus: readonly SeededSku[];
  /** Numbers of the orders. */
  readonly numbers: readonly number[];
}

function guids(seed: number): () => string {
  let drawn = 0;
  return () => guidOf(createHash('sha1').update(`seed:${seed}:${drawn++}`).digest().subarray(0, 16));
}

async function* streamOf(chunks: readonly Buffer[]): AsyncIterable<Buffer> {
  yield* chunks;
}

function textOf(fields: JsonObject, key: string): string {
  return textOrNull(fields, key) ?? '';
}
