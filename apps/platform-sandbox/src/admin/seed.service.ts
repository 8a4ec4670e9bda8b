import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Catalog } from '../catalog/catalog.service.ts';
import { textOrNull } from '../catalog/field-rules.ts';
import type { Files } from '../files/files.service.ts';
import { FILE_TYPES } from '../files/stored-file.ts';
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

/** Fills a shop of any size; the same seed makes the same shop in an empty sandbox. */
export class Seed {
  constructor(private readonly services: SeedServices) {}

  async carryOut(wanted: SeedOrder) {
    const begun = performance.now();
    const roll = dice(wanted.seed);
    const guid = guids(wanted.seed);
    const { tenant, isNew } = this.tenantOf(wanted, guid);
    const { contractAccountId } = tenant;
    const skus = await this.fill(wanted, contractAccountId, roll, guid);
    await this.addPictures(wanted, contractAccountId, skus);
    const numbers = await this.buy(wanted, contractAccountId, skus, roll);
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
  private async fill(
    wanted: SeedOrder,
    contractAccountId: string,
    roll: Dice,
    guid: () => string,
  ): Promise<SeededSku[]> {
    const { store, catalog, products, records, clock } = this.services;
    const now = ticksOf(clock.now());
    const skus: SeededSku[] = [];
    const brandIds: string[] = [];
    const categoryIds: string[] = [];
    store.unit(() => {
      for (let n = 0; n < wanted.brands; n += 1) {
        const fields = seedBrand(n);
        const externalReference = textOf(fields, 'externalReference');
        const id = catalog.brands.find(contractAccountId, externalReference)?.id ?? guid();
        brandIds.push(id);
        catalog.brands.save(contractAccountId, { id, externalReference, fields });
      }
      for (let n = 0; n < wanted.categories; n += 1) {
        const fields = seedCategory(n);
        const externalReference = textOf(fields, 'externalReference');
        const id = catalog.categories.find(contractAccountId, externalReference)?.id ?? guid();
        const parentId = n < 4 ? null : (categoryIds[n % 4] ?? null);
        categoryIds.push(id);
        catalog.categories.save(contractAccountId, { id, externalReference, fields, parentId });
      }
    });
    for (let n = 0; n < wanted.products; n += 1) {
      if (n % AT_ONCE === 0) await this.letOthers();
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
      store.unit(() => {
        products.save(contractAccountId, product);
        // Prices and stock of a part: the whole would take more memory than the products.
        if (n < PRICED) {
          records.save(contractAccountId, 'SKUPricing', price.record);
          records.save(contractAccountId, 'WarehouseSKU', seedStock(one, roll));
        }
      });
      skus.push({
        skuExternalReference: skuReference,
        skuId: one.id,
        unitPrice: price.text,
        isWeighable: sku['unitOfMeasurement'] === 'Kg',
        name: textOf(fields, 'name'),
      });
    }
    return skus;
  }

  private async addPictures(
    { pictures }: SeedOrder,
    contractAccountId: string,
    skus: readonly SeededSku[],
  ): Promise<void> {
    const { store, files } = this.services;
    for (const { skuId, skuExternalReference, name } of skus.slice(0, pictures)) {
      if (files.attached(contractAccountId, { entityId: skuId }).length > 0) continue;
      const content = [Buffer.from(seedPicture(name, skuExternalReference), 'utf8')];
      const file = await files.receive({
        fileName: `${skuExternalReference}.svg`,
        mediaType: 'image/svg+xml',
        content: streamOf(content),
      });
      store.unit(() => {
        files.accept(contractAccountId, file);
        const place = { entityId: skuId, externalReference: skuExternalReference, displayOrder: 1 };
        files.attach(file.id, { fileType: FILE_TYPES.sku, ...place });
      });
    }
  }

  private async letOthers(): Promise<void> {
    await this.services.store.synced();
    await turn();
  }

  private async buy(
    wanted: SeedOrder,
    contractAccountId: string,
    skus: readonly SeededSku[],
    roll: Dice,
  ): Promise<number[]> {
    const numbers: number[] = [];
    if (skus.length === 0) return numbers;
    for (let n = 0; n < wanted.orders; n += 1) {
      if (n % AT_ONCE === 0) await this.letOthers();
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
    }
    return numbers;
  }
}

/** Number of products or orders after which other calls have their turn, and the journal is written. */
const AT_ONCE = 500;
/** Number of products that get a price and stock. */
const PRICED = 5_000;

interface SeededSku {
  readonly skuExternalReference: string;
  readonly skuId: string;
  readonly unitPrice: string;
  readonly isWeighable: boolean;
  readonly name: string;
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
