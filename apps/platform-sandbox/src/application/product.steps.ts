import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { decideProduct, type KnownToCore } from '../domain/catalog/decide-product.ts';
import { textOrNull } from '../domain/catalog/field-rules.ts';
import { productEvent, productReport } from '../domain/catalog/product-report.ts';
import { refusedOnDemand } from '../domain/core-error.ts';
import { isJsonArray, isJsonObject, keyOf, parseExact, type Json } from '../domain/exact-json.ts';
import { utcMs, ticksOf } from '../domain/local-time.ts';
import type { Notification } from '../domain/webhooks/notification.ts';
import { BrandEntity } from '../outbound/brand.entity.ts';
import { CategoryEntity } from '../outbound/category.entity.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { Shelf } from '../outbound/product-shelf.ts';
import { ProductsRepository } from '../outbound/products.repository.ts';
import { Takes } from './core.step.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';

/** Products of a batch, with their SKUs: decided one after the other, stored and notified in one transaction. */
@Injectable()
export class ProductSteps {
  constructor(
    private readonly products: ProductsRepository,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  @Takes({ kind: 'product', by: 'all' })
  async apply(tx: Tx, operations: readonly Operation[]): Promise<void> {
    const account = operations[0]?.contractAccountId ?? '';
    const items = operations.map(({ payload }) => parseExact(payload));
    const shelf = await this.products.shelf(
      account,
      {
        references: items.flatMap((item) => textOrNull(item, 'externalReference') ?? []),
        slugs: items.flatMap((item) => textOrNull(item, 'slug') ?? []),
        skus: items.flatMap(skuReferences),
      },
      tx,
    );
    const brandIds = await this.products.idsOf(BrandEntity, account, referencesIn(items, 'brandExternalReference'), tx);
    const categoryIds = await this.products.idsOf(
      CategoryEntity,
      account,
      referencesIn(items, 'categoryExternalReference'),
      tx,
    );
    const notifications: Notification[] = [];
    for (const [index, { operationId, directive }] of operations.entries()) {
      const item = items[index] ?? null;
      const now = ticksOf(this.clock.now());
      const refusal = refusedOnDemand(directive);
      const known: KnownToCore = {
        ...knownOf(item, shelf),
        brandId: idOf(item, 'brandExternalReference', brandIds),
        categoryId: idOf(item, 'categoryExternalReference', categoryIds),
        ...(refusal && { refusal }),
      };
      const { result, product } = decideProduct(item, known, {
        now,
        newGuid: () => this.ids.newGuid(),
        newTraceId: () => this.ids.newTraceId(),
      });
      if (product) shelf.put(product);
      notifications.push({
        operationId,
        contractAccountId: account,
        relatedEntity: 'ProductWithSKUs',
        eventType: productEvent(result),
        data: productReport(result, utcMs(now)),
      });
    }
    await this.products.save(account, shelf.changed(), tx);
    await this.notifier.notifyAll(tx, account, notifications);
  }
}

type NamingKey = 'brandExternalReference' | 'categoryExternalReference';

function knownOf(item: Json, shelf: Shelf): Pick<KnownToCore, 'existing' | 'slugTaken' | 'foreignSkus'> {
  const reference = textOrNull(item, 'externalReference');
  const slug = textOrNull(item, 'slug');
  const existing = reference === null ? undefined : shelf.find(reference);
  const owner = slug === null ? undefined : shelf.ownerOfSlug(slug);
  return {
    existing,
    slugTaken: owner !== undefined && owner !== existing?.externalReference,
    foreignSkus: shelf.foreignSkus(existing?.id, skuReferences(item)),
  };
}

/** Undefined when the item has no such key, null when nothing has the reference. */
function idOf(item: Json, key: NamingKey, ids: ReadonlyMap<string, string>): string | null | undefined {
  if (!isJsonObject(item) || keyOf(item, key) === undefined) return undefined;
  const reference = textOrNull(item, key);
  return reference === null ? null : (ids.get(reference) ?? null);
}

function referencesIn(items: readonly Json[], key: NamingKey): string[] {
  return [...new Set(items.flatMap((item) => textOrNull(item, key) ?? []))];
}

function skuReferences(item: Json): string[] {
  const skus = isJsonObject(item) ? keyOf(item, 'skus') : undefined;
  if (!isJsonArray(skus)) return [];
  return skus.flatMap((sku) => textOrNull(sku, 'externalReference') ?? []);
}
