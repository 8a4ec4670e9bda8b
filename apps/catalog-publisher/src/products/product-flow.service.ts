import type { OutRecord } from '@gondola/kafka/records/record-codec';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { ResultEntity } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import type { CatalogFlow, Planned, Reading, Save, Sending } from '../lanes/catalog-flow.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { skuReferences } from '../product-state/applied-product.ts';
import { LoadProducts, type ProductLane } from './load-products.service.ts';
import { PlanProducts } from './plan-products.service.ts';
import type { ProductProgress } from './product-progress.ts';
import { blockedText, ReadProducts } from './read-products.service.ts';
import { SaveProducts } from './save-products.service.ts';

/** Products with their SKUs: the platform reports the outcome of a record, and the product can be read back. */
@Injectable()
export class ProductFlow implements CatalogFlow<ProductLane> {
  readonly kind = 'product';
  readonly isUrgent = false;
  readonly blockedText = blockedText;
  /** Published SKUs of a product: prices and stock wait for them. */
  readonly awaited: CatalogFlow<ProductLane>['awaited'] = {
    kind: 'sku',
    madeKnownBy: ({ toPublish }) => (toPublish === null ? [] : skuReferences(toPublish.readModel)),
    // `WakeSweep` does it for SKUs.
    lastMadeKnown: () => [],
  };

  constructor(
    private readonly products: LoadProducts,
    private readonly plans: PlanProducts,
    private readonly reads: ReadProducts,
    private readonly saves: SaveProducts,
  ) {}

  async plan(tenant: CatalogTenant, lanes: readonly ClaimedLane[]): Promise<Planned<ProductLane>[]> {
    return (await this.plans.plan(tenant, await this.products.load(tenant, lanes))).map(afterSnapshot);
  }

  async read(tenant: CatalogTenant, reading: Reading<ProductLane>, signal: AbortSignal): Promise<Planned<ProductLane>> {
    return this.reads.read(tenant, reading, signal);
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

  async hold(
    tx: Tx,
    tenant: CatalogTenant,
    sending: readonly Sending<ProductLane>[],
  ): Promise<readonly Sending<ProductLane>[]> {
    return this.saves.hold(tx, tenant, sending);
  }

  /** Zero: SKUs of another product are detected at once. */
  unheldMs(): number {
    return 0;
  }

  lookInMs(tenant: CatalogTenant, state: Sending<ProductLane>): number {
    return this.plans.lookInMs(tenant, state);
  }

  async save(tx: Tx, tenant: CatalogTenant, saved: readonly SavedStep<Save<ProductLane>>[]): Promise<OutRecord[]> {
    return this.saves.save(tx, tenant, saved);
  }
}

/** SKUs that are to be published are read before the next record is sent, or while no record is open. */
function afterSnapshot(planned: Planned<ProductLane>): Planned<ProductLane> {
  const { state } = planned;
  const isFree = planned.kind === 'send' || state.command === null;
  return state.known.snapshot !== null && isFree ? { kind: 'read', state, before: planned, final: false } : planned;
}
