import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { skuRecord, skuTombstone } from '@gondola/messaging/codec/sku-record';
import type { Tx } from '@gondola/service-kit/database/database';
import { buildSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { skuReferences } from '../domain/applied-product.ts';
import {
  afterRecord,
  afterTelling,
  type DueSnapshot,
  type KnownProduct,
  recordOutcome,
} from '../domain/known-product.ts';
import { referencesOf } from '../domain/known-references.ts';
import { skuContents, type SkuNews, skuNews } from '../domain/sku-snapshots.ts';
import type { ProductReferencesRepository } from '../outbound/product-references.repository.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';
import type { KnownRow, ProductsRepository } from '../outbound/products.repository.ts';
import type { SkusRepository } from '../outbound/skus.repository.ts';
import type { OutgoingProduct, ProductEnd, ProductLane } from './product-work.ts';
import type { KeptLane, LaneKeeper } from './save-lanes.ts';

export interface ProductKeeperParts {
  readonly tenant: string;
  readonly products: ProductsRepository;
  readonly reports: ProductReportsRepository;
  readonly skus: SkusRepository;
  readonly productReferences: ProductReferencesRepository;
  readonly now: () => number;
}

type Kept = KeptLane<ProductLane, ProductEnd>;

/**
 * Keeps what is known of products: what was applied, whose SKUs are whose, what they refer to; and tells their SKUs.
 */
export class ProductKeeper implements LaneKeeper<ProductLane, ProductEnd> {
  readonly #parts: ProductKeeperParts;

  constructor(parts: ProductKeeperParts) {
    this.#parts = parts;
  }

  /**
   * Before a sending: SKUs become the product's own (rule 29), and what it is going to refer to counts as referred to.
   */
  async claim(tx: Tx, outgoing: readonly OutgoingProduct[]): Promise<OutgoingProduct[]> {
    const { tenant, skus, productReferences } = this.#parts;
    const claims = outgoing.map(({ work: { lane }, progress }) => ({
      laneId: lane.id,
      productExternalReference: lane.identity,
      skus: skuReferences(progress.body),
    }));
    const granted = await skus.claim(tx, tenant, claims);
    const own = outgoing.filter(({ work }) => granted.has(work.lane.id));
    const made = own.flatMap(({ work, progress }) => madeBy(work.lane.id, referencesOf(progress.body, {})));
    await productReferences.add(tx, tenant, made);
    return own;
  }

  async keep(tx: Tx, kept: readonly Kept[]): Promise<OutRecord[]> {
    const { tenant, products, reports, skus, productReferences } = this.#parts;
    const ended = kept.filter((each) => each.ended !== null);
    await skus.release(tx, tenant, ended.flatMap(unenteredSkus));
    const rows: KnownRow[] = [];
    const told: OutRecord[] = [];
    for (const each of kept) {
      const { work } = each;
      const after = knownAfter(each);
      const { known, records } = await this.#tellSkus(tx, work, after);
      told.push(...records);
      if (known !== work.stored) {
        rows.push({ laneId: work.lane.id, tenant, externalReference: work.lane.identity, known });
      }
    }
    await products.save(tx, rows);
    const concluded = new Set(ended.map(({ work }) => work.lane.id));
    const settled = rows.filter(({ laneId }) => concluded.has(laneId));
    const references = settled.flatMap(({ laneId, known }) => madeBy(laneId, referencesOf(known.applied.product, {})));
    await productReferences.replace(tx, tenant, [...concluded], references);
    await reports.forget(tx, kept.filter(({ isQuiet }) => isQuiet).flatMap(upToNewest));
    return told;
  }

  /** What of a product that was read differs from what was told of its SKUs. */
  async #tellSkus(
    tx: Tx,
    work: ProductLane,
    known: KnownProduct,
  ): Promise<{ known: KnownProduct; records: OutRecord[] }> {
    const { tenant, skus, now } = this.#parts;
    const { lane, toTell } = work;
    if (toTell === null) return { known, records: [] };
    const { readModel, cause } = toTell;
    const about = { tenant, productExternalReference: lane.identity };
    const contents = skuContents(readModel, known.applied, about);
    const references = contents.map(({ skuExternalReference }) => skuExternalReference);
    const before = await skus.load(tx, tenant, { references, laneIds: [lane.id] });
    const news = skuNews(before, contents);
    await skus.saveNews(tx, tenant, { ...about, laneId: lane.id }, news);
    const gone = news.flatMap(({ externalReference, content }) => (content === null ? [externalReference] : []));
    const time = new Date(now()).toISOString();
    return {
      known: afterTelling(known, references, gone),
      records: news.map((each) => newsRecord({ tenant, time, cause }, each)),
    };
  }
}

function newsRecord(
  { tenant, time, cause }: { readonly tenant: string; readonly time: string; readonly cause: DueSnapshot },
  { externalReference: skuExternalReference, version, content }: SkuNews,
): OutRecord {
  if (content === null) return skuTombstone({ tenant, skuExternalReference, version, time }, cause);
  return skuRecord(buildSkuSnapshot({ ...content, version, time }), cause);
}

function knownAfter({ work, ended }: Kept): KnownProduct {
  const { known, command } = work;
  if (ended === null || command === null) return known;
  const { end, result } = ended;
  const { commandId, receivedAt, attempts, traceparent } = command;
  const isCorrectable = result.outcome === 'unconfirmed' && end.operationIds.length > 0 && end.progress !== null;
  const unconfirmed = isCorrectable
    ? {
        commandId,
        command: command.command,
        resultId: result.id,
        body: end.progress.body,
        sendings: end.progress.sendings,
        operationIds: end.operationIds,
        receivedAt,
        attempts,
        traceparent,
        overtaken: false,
      }
    : null;
  const { effect, sourceVersion, operationIds, conclusion } = end;
  const lastEnd = recordOutcome({ ...conclusion, commandId, command: command.command, finishedAt: result.time });
  return afterRecord(known, { effect, sourceVersion, operationIds, unconfirmed, commandId, traceparent, lastEnd });
}

/** SKUs that the record named, that did not enter with it and that the shop was not seen to have. */
function unenteredSkus({ work, ended }: Kept): { laneId: string; externalReference: string }[] {
  if (ended === null || ended.end.effect.kind === 'in-doubt') return [];
  const { effect, conclusion } = ended.end;
  const entered = effect.kind === 'entered' ? effect.skus : new Set<string>();
  return conclusion.skus
    .map(({ externalReference }) => externalReference)
    .filter((sku) => !entered.has(sku) && !work.known.skus.includes(sku))
    .map((externalReference) => ({ laneId: work.lane.id, externalReference }));
}

function madeBy(laneId: string, made: ReturnType<typeof referencesOf>) {
  return made.map(({ kind, externalReference }) => ({ laneId, kind, externalReference }));
}

function upToNewest({ work }: Kept): { laneId: string; upToId: string }[] {
  return work.newestReportId === null ? [] : [{ laneId: work.lane.id, upToId: work.newestReportId }];
}
