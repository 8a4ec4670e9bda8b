import type { Tx } from '@gondola/service-kit/database';
import { Injectable } from '@nestjs/common';
import { decideProduct, type KnownToCore } from '../domain/catalog/decide-product.ts';
import { textOrNull } from '../domain/catalog/field-rules.ts';
import { productEvent, productReport } from '../domain/catalog/product-report.ts';
import { refusedOnDemand } from '../domain/core-error.ts';
import { isJsonArray, isJsonObject, keyOf, parseExact, type Json } from '../domain/exact-json.ts';
import { utcMs } from '../domain/local-time.ts';
import { BrandsRepository } from '../outbound/brands.repository.ts';
import { CategoriesRepository } from '../outbound/categories.repository.ts';
import type { CoreDirective, Operation } from '../outbound/operations.repository.ts';
import { ProductsRepository } from '../outbound/products.repository.ts';
import { Clock } from './clock.ts';
import type { CoreStep } from './core.step.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';

/** One product of a batch, with its SKUs: decided, stored and told in one transaction. */
@Injectable()
export class ApplyProduct implements CoreStep {
  readonly kind = 'product';

  constructor(
    private readonly products: ProductsRepository,
    private readonly brands: BrandsRepository,
    private readonly categories: CategoriesRepository,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async apply(tx: Tx, { operationId, contractAccountId, payload, directive }: Operation): Promise<void> {
    const item = parseExact(payload);
    const now = this.clock.now();
    const known = await this.known(tx, contractAccountId, item, directive);
    const { result, product } = decideProduct(item, known, {
      now,
      newGuid: () => this.ids.newGuid(),
      newTraceId: () => this.ids.newTraceId(),
    });
    if (product) await this.products.save(tx, contractAccountId, product);
    await this.notifier.notify(tx, {
      operationId,
      contractAccountId,
      relatedEntity: 'ProductWithSKUs',
      eventType: productEvent(result),
      data: productReport(result, utcMs(now)),
    });
  }

  private async known(tx: Tx, account: string, item: Json, directive: CoreDirective): Promise<KnownToCore> {
    const reference = textOrNull(item, 'externalReference');
    const slug = textOrNull(item, 'slug');
    const existing = reference === null ? undefined : await this.products.find(tx, account, reference);
    const owner = slug === null ? undefined : await this.products.ownerOfSlug(tx, account, slug);
    const known: KnownToCore = {
      existing,
      slugTaken: owner !== undefined && owner !== existing?.externalReference,
      foreignSkus: await this.products.foreignSkus(tx, account, existing?.id, skuReferences(item)),
      brandId: await this.idOf(tx, account, item, 'brandExternalReference'),
      categoryId: await this.idOf(tx, account, item, 'categoryExternalReference'),
    };
    const refusal = refusedOnDemand(directive);
    return refusal ? { ...known, refusal } : known;
  }

  /** Undefined when the item has no such key, null when nothing has the reference. */
  private async idOf(
    tx: Tx,
    account: string,
    item: Json,
    key: 'brandExternalReference' | 'categoryExternalReference',
  ): Promise<string | null | undefined> {
    if (!isJsonObject(item) || keyOf(item, key) === undefined) return undefined;
    const reference = textOrNull(item, key);
    if (reference === null) return null;
    const holders = key === 'brandExternalReference' ? this.brands : this.categories;
    return (await holders.find(tx, account, reference))?.id ?? null;
  }
}

function skuReferences(item: Json): string[] {
  const skus = isJsonObject(item) ? keyOf(item, 'skus') : undefined;
  if (!isJsonArray(skus)) return [];
  return skus.flatMap((sku) => textOrNull(sku, 'externalReference') ?? []);
}
