import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { type PageOf, pageOf, type PageRequest } from '@gondola/service-kit/http/page.dto';
import { placeFromText } from '@gondola/shared/catalog/value-place';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { waitingFromText } from '../waiting/awaiting.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { RecordProgress } from '../records/record-attempts.ts';
import { objectFromText } from '../records/stored-text.ts';
import type { KnownProduct } from '../product-state/known-product.ts';
import { ProductsRepository } from '../product-state/products.repository.ts';
import { ReferenceLanesRepository } from '../references/reference-lanes.repository.ts';
import { ReferenceWaitsRepository, waitCountKey } from '../waiting/reference-waits.repository.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import { ValueLanesRepository } from '../values/value-lanes.repository.ts';
import type { CatalogCounts, OpenRecord, ShownProduct, ShownRecord, ShownReference } from './catalog.dto.ts';

const OPEN_SHOWN = 50;

/** Reads the stored state of products, brands and categories, and the reasons why their open records wait. */
@Injectable()
export class ShowCatalog {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly products: ProductsRepository,
    private readonly references: ReferencesRepository,
    private readonly referenceLanes: ReferenceLanesRepository,
    private readonly referenceWaits: ReferenceWaitsRepository,
    private readonly values: ValueLanesRepository,
  ) {}

  /** Null if no record ever named the product. */
  async product(tenant: string, externalReference: string): Promise<ShownProduct | null> {
    const lane = await this.lanes.find({ tenant, kind: 'product', identity: externalReference });
    if (lane === null) return null;
    const { id: laneId } = lane;
    const { known } = (await this.products.load(this.database, [laneId])).get(laneId)!;
    const { exists, skus, applied, sourceVersion, lastEnd } = known;
    const [open, values] = await Promise.all([this.#open(laneId), this.#values(tenant, known)]);
    return { tenant, externalReference, exists, skus, applied, sourceVersion, lastEnd, values, open };
  }

  /** Records about a product and about prices and stock of its SKUs, newest first; null if none named the product. */
  async records(
    tenant: string,
    externalReference: string,
    { before, limit }: PageRequest,
  ): Promise<PageOf<ShownRecord> | null> {
    const lane = await this.lanes.find({ tenant, kind: 'product', identity: externalReference });
    if (lane === null) return null;
    const { known } = (await this.products.load(this.database, [lane.id])).get(lane.id)!;
    const values = await this.values.ofSkus(this.database, tenant, skusOf(known));
    const laneIds = [lane.id, ...values.map(({ laneId }) => laneId)];
    const found = await this.commands.ofLanes(this.database, laneIds, before, limit + 1);
    const entries = found.map(({ identity, ...record }) => {
      const about = record.kind === 'product' ? identity : placeFromText(identity).externalReference;
      return { ...record, externalReference: about };
    });
    return pageOf(entries, limit);
  }

  /** Null if no record ever named the brand or category. */
  async reference(tenant: string, kind: ReferenceKind, externalReference: string): Promise<ShownReference | null> {
    const laneId = (await this.lanes.find({ tenant, kind, identity: externalReference }))?.id ?? null;
    const known = (await this.references.load(this.database, tenant, kind, [externalReference])).get(externalReference);
    if (laneId === null && known === undefined) return null;
    const state = laneId === null ? null : (await this.referenceLanes.load(this.database, [laneId])).get(laneId);
    return {
      tenant,
      externalReference,
      exists: known?.exists ?? false,
      inDoubt: known?.inDoubt ?? false,
      parent: known?.parent ?? null,
      record: known?.record ?? null,
      sourceVersion: state?.sourceVersion ?? null,
      open: laneId === null ? [] : await this.#open(laneId),
    };
  }

  /** Counts of a tenant, or of all (null). */
  async counts(ofTenant: string | null): Promise<CatalogCounts[]> {
    const [open, waiting] = await Promise.all([
      this.commands.countOpen(this.database, ofTenant),
      this.referenceWaits.counts(this.database, ofTenant),
    ]);
    const byKind = Map.groupBy(open, ({ tenant, kind }) => waitCountKey({ tenant, kind }));
    return [...byKind].map(([key, counts]) => {
      const { tenant, kind } = counts[0]!;
      const sum = (of: 'open' | 'sent'): number => counts.reduce((total, count) => total + count[of], 0);
      return { tenant, kind, open: sum('open'), sent: sum('sent'), waiting: waiting.get(key) ?? 0 };
    });
  }

  async #values(tenant: string, known: KnownProduct): Promise<ShownProduct['values']> {
    const found = await this.values.ofSkus(this.database, tenant, skusOf(known));
    const laneIds = found.map(({ laneId }) => laneId);
    const keys = await this.lanes.keysOf(this.database, laneIds);
    return found.map(({ laneId, kind, reference: skuExternalReference, applied, appliedAt }) => {
      const { warehouse = null, policy = null } = placeFromText(keys.get(laneId)!.identity);
      return { kind, skuExternalReference, warehouse, policy, applied, appliedAt };
    });
  }

  async #open(laneId: string): Promise<OpenRecord[]> {
    const open = await this.commands.open(this.database, laneId, OPEN_SHOWN);
    return open.map(shownRecord);
  }
}

function skusOf({ skus, applied }: KnownProduct): string[] {
  return [...new Set([...skus, ...Object.keys(applied.skus)])];
}

function shownRecord({ commandId, command, receivedAt, attempts, deadlineAt, progress }: OpenCommand): OpenRecord {
  const stored = progress === null ? {} : objectFromText<Partial<RecordProgress>>(progress);
  return {
    commandId,
    command,
    receivedAt,
    attempts,
    deadlineAt,
    blocked: stored.blocked ?? null,
    waitingFor: waitingFromText(progress)?.for ?? [],
    operationIds: operationIdsOf({ attempts: stored.attempts ?? [] }),
  };
}
