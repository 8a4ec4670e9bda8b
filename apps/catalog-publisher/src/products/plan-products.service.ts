import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Inject, Injectable } from '@nestjs/common';
import { skuReferences } from '../product-state/applied-product.ts';
import { planProduct } from './decide-product.ts';
import { type Prepared, prepareProduct, prepareResend } from './prepare-product.ts';
import { productProgress } from './product-progress.ts';
import { isResend } from '../records/resend.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import { knownSkus } from '../product-state/known-sku.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { OpenProduct, PlannedProduct } from './load-products.service.ts';
import { plannedStep } from '../lanes/catalog-family.service.ts';

interface PreparedRecord {
  readonly work: OpenProduct;
  readonly prepared: Prepared;
}

/** Plans records: prepares new ones, loads the entities that they refer to, and calls `planProduct`. */
@Injectable()
export class PlanProducts {
  constructor(
    private readonly database: Database,
    private readonly references: ReferencesRepository,
    private readonly skus: SkusRepository,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'ask'>,
    private readonly clock: Clock,
  ) {}

  async plan(tenant: CatalogTenant, works: readonly OpenProduct[]): Promise<PlannedProduct[]> {
    const records = works.map((work) => ({ work, prepared: prepared(tenant, work) }));
    const around = await this.#around(tenant.id, records);
    return records.map((each) => {
      const { lane, command, consumedUpToMs } = each.work;
      const { deadlineInMs } = command;
      const situation = { ...each.work, prepared: each.prepared, externalReference: lane.identity, deadlineInMs };
      const nowMs = this.clock.now();
      const context = { ...around, tenant, nowMs, consumedUpToMs };
      return plannedStep(each.work, planProduct(situation, context), (untilMs) => this.consumed.ask(untilMs));
    });
  }

  /** Loads the entities that unsent records name. */
  async #around(tenant: string, records: readonly PreparedRecord[]) {
    const fresh = records.flatMap(({ work, prepared: each }) =>
      each.kind === 'ready' && each.progress.attempts.length === 0 ? [{ work, ...each }] : [],
    );
    if (fresh.length === 0) return { knownReferences: new Set<string>(), skus: knownSkus([]) };
    const made = fresh.flatMap((each) => each.made);
    const knownReferences = await this.references.known(this.database, tenant, made);
    const wanted = {
      references: fresh.flatMap(({ progress }) => skuReferences(progress.body)),
      laneIds: fresh.map(({ work }) => work.lane.id),
    };
    return { knownReferences, skus: knownSkus(await this.skus.load(this.database, tenant, wanted)) };
  }
}

function prepared({ catalog, language }: CatalogTenant, work: OpenProduct): Prepared {
  const { command, lane, known, looked } = work;
  const progress = productProgress(command.progress);
  if (progress !== null) return { kind: 'ready', progress, made: [], content: progress.body };
  if (isResend(command)) return prepareResend(lane.identity, known, catalog, language);
  return prepareProduct({ value: command.value, externalReference: lane.identity, looked }, known, catalog, language);
}
