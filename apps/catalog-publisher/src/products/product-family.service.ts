import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { ResultEntity } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import { type Effect, skuReferences } from '../product-state/applied-product.ts';
import type { ProductProgress } from './product-progress.ts';
import type { CatalogFamily, FamilyAwaited, LaneHead } from '../lanes/catalog-family.service.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { LoadProducts, type OpenProduct, type PlannedProduct, type ProductLane } from './load-products.service.ts';
import { PlanProducts } from './plan-products.service.ts';
import { blockedText, ReadProducts } from './read-products.service.ts';
import { SaveProducts } from './save-products.service.ts';

/** Products with their SKUs: the platform reports the outcome of a record, and the product can be read back. */
@Injectable()
export class ProductFamily implements CatalogFamily<ProductLane, ProductProgress, Effect> {
  readonly kind = 'product';
  readonly isUrgent = false;
  /** Published SKUs of a product: prices and stock wait for them. */
  readonly awaited: FamilyAwaited<ProductLane, ProductProgress, Effect> = {
    kind: 'sku',
    madeKnownBy: ({ work: { toPublish } }) => (toPublish === null ? [] : skuReferences(toPublish.readModel)),
    // A price or stock checks for its SKU from time to time.
    lastMadeKnown: () => [],
  };

  readonly blockedText = blockedText;

  constructor(
    private readonly loadProducts: LoadProducts,
    private readonly planProducts: PlanProducts,
    readonly reader: ReadProducts,
    readonly entities: SaveProducts,
  ) {}

  async load(tenant: CatalogTenant, heads: readonly LaneHead[]): Promise<ProductLane[]> {
    return this.loadProducts.load(tenant, heads);
  }

  async plan(tenant: CatalogTenant, works: readonly OpenProduct[]): Promise<PlannedProduct[]> {
    return this.planProducts.plan(tenant, works);
  }

  routeOf() {
    return 'postProducts' as const;
  }

  itemText({ body }: ProductProgress): string {
    return stringifyWithDigits(body);
  }

  /** False: the report of a product names the product. */
  goesAlone(): boolean {
    return false;
  }

  entityOf(externalReference: string): ResultEntity {
    return { kind: this.kind, externalReference };
  }

  seenReportId({ newestReportId }: ProductLane): string {
    return newestReportId ?? '0';
  }
}
