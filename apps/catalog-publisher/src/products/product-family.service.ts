import { Database } from '@gondola/service-kit/database/database';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { findCorrections } from './product-corrections.ts';
import type { Effect } from './applied-product.ts';
import { afterCorrections } from './known-product.ts';
import type { ProductProgress } from './product-progress.ts';
import { progressFromText } from '../records/record-attempts.ts';
import { OperationsRepository } from '../outcomes/operations.repository.ts';
import { ProductReportsRepository } from '../outcomes/product-reports.repository.ts';
import { ProductsRepository } from './products.repository.ts';
import type { CatalogFamily, LaneHead } from '../lanes/catalog-family.interface.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { PlanProducts } from './plan-products.service.ts';
import type { OpenProduct, PlannedProduct, ProductLane } from './product-lane.interface.ts';
import { blockedText, ReadProducts } from './read-products.service.ts';
import { SaveProducts } from './save-products.service.ts';

/** Products with their SKUs: what becomes of a record is reported, and can be read. */
@Injectable()
export class ProductFamily implements CatalogFamily<ProductLane, ProductProgress, Effect> {
  readonly kind = 'product';
  readonly awaited = null;
  readonly blockedText = blockedText;

  constructor(
    private readonly database: Database,
    private readonly products: ProductsRepository,
    private readonly reports: ProductReportsRepository,
    private readonly operations: OperationsRepository,
    private readonly planProducts: PlanProducts,
    readonly reader: ReadProducts,
    readonly entities: SaveProducts,
  ) {}

  async load({ id: tenant, language }: CatalogTenant, heads: readonly LaneHead[]): Promise<ProductLane[]> {
    const ids = heads.map(({ lane }) => lane.id);
    const known = await this.products.load(this.database, ids);
    const stored = await this.reports.load(this.database, ids);
    const open = heads.flatMap(({ command }) => progressFromText(command?.progress ?? null) ?? []);
    const past = [...known.values()].flatMap(({ unconfirmed }) => unconfirmed);
    const operationReports = await this.operations.reports(this.database, tenant, {
      operationIds: [...open.flatMap(operationIdsOf), ...past.flatMap(({ operationIds }) => operationIds)],
      kind: 'product',
      externalReferences: heads.map(({ lane }) => lane.identity),
    });
    return heads.map((head) => {
      const { id, identity } = head.lane;
      const before = known.get(id)!;
      const { reports, newestReportId } = stored.get(id)!;
      const late = { reports, operationReports };
      const corrections = findCorrections(before.unconfirmed, late, identity, language);
      return {
        ...head,
        corrected: corrections.map(({ record, concluded }) => ({ ...record, conclusion: concluded.conclusion })),
        stored: before,
        known: afterCorrections(before, corrections),
        reports,
        newestReportId,
        operationReports,
        looked: false,
        toPublish: null,
      };
    });
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

  seenReportId({ newestReportId }: ProductLane): string {
    return newestReportId ?? '0';
  }
}
