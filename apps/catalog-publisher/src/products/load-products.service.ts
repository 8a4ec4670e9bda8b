import { Database } from '@gondola/service-kit/database/database';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { CatalogLane } from '../lanes/catalog-flow.ts';
import { type LaneHead, LaneHeads } from '../lanes/lane-heads.service.ts';
import type { RecordEnd } from '../records/record-plan.ts';
import type { OperationReport } from '../notifications/operation-report.ts';
import { PlatformOperationsRepository } from '../notifications/platform-operations.repository.ts';
import type { StoredReport } from '../notifications/product-report.ts';
import { ProductReportsRepository } from '../notifications/product-reports.repository.ts';
import { type Effect, skuReferences } from '../product-state/applied-product.ts';
import {
  afterAdoption,
  afterCorrections,
  type DueSnapshot,
  type KnownProduct,
} from '../product-state/known-product.ts';
import { knownSkus } from '../product-state/known-sku.ts';
import { ProductsRepository, type StoredProduct } from '../product-state/products.repository.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import type { ProductContext } from './decide-product.ts';
import { findCorrections } from './product-corrections.ts';
import type { Prepared } from './prepare-product.ts';
import { type ProductProgress, productProgress } from './product-progress.ts';

/** Loaded lane of a product. */
export interface ProductLane extends CatalogLane, LaneHead {
  readonly progress: ProductProgress | null;
  /** State of the product in the database. */
  readonly stored: StoredProduct;
  /** Current state, including corrections and reads of this step. */
  readonly known: KnownProduct;
  readonly reports: readonly StoredReport[];
  /** Id of the newest stored report, readable or not; null for none. */
  readonly newestReportId: string | null;
  readonly operationReports: readonly OperationReport[];
  /** True if this step has read the product for its record. */
  readonly looked: boolean;
  /** SKUs read in this step to be published; null for none. */
  readonly toPublish: SkusToPublish | null;
  /** The record's end in this step; null while it stays open. */
  readonly end: RecordEnd<ProductProgress, Effect> | null;
}

/** Current SKUs of a product, with the cause of their publication. */
interface SkusToPublish {
  readonly readModel: JsonRecord;
  readonly cause: DueSnapshot;
}

interface PreparedRecord {
  readonly state: ProductLane;
  readonly prepared: Prepared | null;
}

/** Stored brands, categories and SKUs that records name. */
export type NamedEntities = Pick<ProductContext, 'knownReferences' | 'skus'>;

export const NOTHING_NAMED: NamedEntities = { knownReferences: new Set(), skus: knownSkus([]) };

/** Loads the input of a step over products: the state of each, the stored reports, and what the records name. */
@Injectable()
export class LoadProducts {
  constructor(
    private readonly database: Database,
    private readonly heads: LaneHeads,
    private readonly products: ProductsRepository,
    private readonly reports: ProductReportsRepository,
    private readonly operations: PlatformOperationsRepository,
    private readonly references: ReferencesRepository,
    private readonly skus: SkusRepository,
  ) {}

  async load({ id: tenant, language }: CatalogTenant, lanes: readonly ClaimedLane[]): Promise<ProductLane[]> {
    const ids = lanes.map(({ id }) => id);
    const [heads, products, arrived] = await this.database.together((db) =>
      Promise.all([this.heads.of(db, lanes), this.products.load(db, ids), this.reports.load(db, ids)]),
    );
    const open = heads.flatMap(({ command }) => productProgress(command?.progress ?? null) ?? []);
    const past = [...products.values()].flatMap(({ known }) => known.unconfirmed);
    const operationReports = await this.operations.reports(this.database, tenant, {
      operationIds: [...open.flatMap(operationIdsOf), ...past.flatMap(({ operationIds }) => operationIds)],
      kind: 'product',
      externalReferences: heads.map(({ lane }) => lane.identity),
    });
    return heads.map((head) => {
      const { id, identity } = head.lane;
      const stored = products.get(id)!;
      const before = stored.adoption === null ? stored.known : afterAdoption(stored.known, stored.adoption);
      const { reports, newestReportId } = arrived.get(id)!;
      const late = { reports, operationReports };
      const progress = productProgress(head.command?.progress ?? null);
      const operations = { past: before.pastOperationIds, open: progress === null ? [] : [progress] };
      const corrections = findCorrections(before.unconfirmed, late, identity, { language, operations });
      return {
        ...head,
        corrected: corrections.map(({ record, concluded }) => ({ ...record, conclusion: concluded.conclusion })),
        stored,
        known: afterCorrections(before, corrections),
        reports,
        newestReportId,
        operationReports,
        looked: false,
        toPublish: null,
        progress,
        end: null,
        ownDueInMs: null,
      };
    });
  }

  /** Entities that unsent records name. */
  async namedBy({ id: tenant }: CatalogTenant, records: readonly PreparedRecord[]): Promise<NamedEntities> {
    const fresh = records.flatMap(({ state, prepared }) =>
      prepared?.kind === 'ready' && prepared.progress.attempts.length === 0 ? [{ state, ...prepared }] : [],
    );
    if (fresh.length === 0) return NOTHING_NAMED;
    const made = fresh.flatMap((each) => each.made);
    const wanted = {
      references: fresh.flatMap(({ progress }) => skuReferences(progress.body)),
      laneIds: fresh.map(({ state }) => state.lane.id),
    };
    const [knownReferences, skus] = await this.database.together((db) =>
      Promise.all([this.references.known(db, tenant, made), this.skus.load(db, tenant, wanted)]),
    );
    return { knownReferences, skus: knownSkus(skus) };
  }
}
