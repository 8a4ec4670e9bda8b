import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { skuRecord, skuTombstone } from '@gondola/kafka/records/sku-record';
import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { buildSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import { lostCallEndMs } from '@gondola/shared/commands/late-calls';
import type { Result } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import { type Effect, skuReferences, splitBody } from '../product-state/applied-product.ts';
import {
  afterRecord,
  afterPublishing,
  type DueSnapshot,
  type KnownProduct,
  recordOutcome,
} from '../product-state/known-product.ts';
import { knownReferenceKinds, referencesOf } from '../waiting/known-references.ts';
import { contentOf } from '../records/read-record.ts';
import { operationsOf } from '../records/record-attempts.ts';
import { skuContents, type SkuChange, skuChanges } from '../product-state/sku-snapshots.ts';
import { ProductReferencesRepository } from '../product-state/product-references.repository.ts';
import { ProductReportsRepository } from '../notifications/product-reports.repository.ts';
import { productWords, type ProductWords } from '../product-state/product-words.ts';
import { type KnownRow, ProductsRepository } from '../product-state/products.repository.ts';
import { isResend } from '../records/resend.ts';
import { type SkuRow, SkusRepository } from '../product-state/skus.repository.ts';
import type { Save, Sending } from '../lanes/catalog-flow.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { ProductLane } from './load-products.service.ts';

/** A saved lane; `ended` is set if its record was concluded in this step. */
interface Saved {
  readonly work: ProductLane;
  readonly ended: {
    readonly end: NonNullable<ProductLane['end']>;
    readonly result: Result;
    /** End of its newest call whose answer was lost, in milliseconds since 1970; null for none. */
    readonly lostCallEndMs: number | null;
  } | null;
}

/**
 * Saves the state of products (applied values, owned SKUs, references) and publishes their SKUs.
 */
@Injectable()
export class SaveProducts {
  constructor(
    private readonly products: ProductsRepository,
    private readonly reports: ProductReportsRepository,
    private readonly skus: SkusRepository,
    private readonly productReferences: ProductReferencesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Before an attempt: assigns the SKUs to the product (rule 29) and stores its new references.
   */
  async hold(
    tx: Tx,
    { id: tenant }: CatalogTenant,
    sending: readonly Sending<ProductLane>[],
  ): Promise<Sending<ProductLane>[]> {
    const claims = sending.map(({ lane, progress }) => ({
      laneId: lane.id,
      productExternalReference: lane.identity,
      skus: skuReferences(progress.body),
    }));
    const granted = await this.skus.claim(tx, tenant, claims);
    const own = sending.filter(({ lane }) => granted.has(lane.id));
    const made = own.flatMap(({ lane, progress }) => madeBy(lane.id, referencesOf(progress.body, {})));
    await this.productReferences.add(tx, tenant, made);
    return own;
  }

  async save(
    tx: Tx,
    { id: tenant, settings: { timeoutMs } }: CatalogTenant,
    saved: readonly SavedStep<Save<ProductLane>>[],
  ): Promise<OutRecord[]> {
    const lanes = saved.map((each) => savedLane(each, timeoutMs));
    const ended = lanes.filter((each) => each.ended !== null);
    await this.skus.release(tx, tenant, ended.flatMap(unenteredSkus));
    const published = await this.#publishSkus(tx, tenant, lanes);
    const rows = published.flatMap(({ work, known }): KnownRow[] =>
      known === work.stored.known && work.stored.adoption === null
        ? []
        : [{ ...keyOf(work), ...wordsOf(work, known), tenant, known, adoption: work.stored.adoption }],
    );
    await this.products.save(tx, rows);
    const concluded = new Set(ended.map(({ work }) => work.lane.id));
    const settled = rows.filter(({ laneId }) => concluded.has(laneId));
    const references = settled.flatMap(({ laneId, known }) => madeBy(laneId, referencesOf(known.applied.product, {})));
    const doubted = new Set(
      lanes.flatMap(({ work, ended: record }) => (record?.end.effect.kind === 'in-doubt' ? [work.lane.id] : [])),
    );
    const kinds = settled
      .filter(({ laneId }) => !doubted.has(laneId))
      .flatMap(({ laneId, known }) =>
        knownReferenceKinds(known.applied.product, known.exists || known.mayExist).map((kind) => ({ laneId, kind })),
      );
    await this.productReferences.replace(tx, tenant, kinds, references);
    // Without an open record no report can be the answer to one.
    const quiet = lanes.filter(({ work, ended: end }) => end !== null || work.command === null);
    await this.reports.delete(tx, quiet.flatMap(upToNewest));
    return published.flatMap(({ records }) => records);
  }

  /** Publishes the SKUs of read products that differ from their published state. */
  async #publishSkus(
    tx: Tx,
    tenant: string,
    lanes: readonly Saved[],
  ): Promise<{ work: ProductLane; known: KnownProduct; records: readonly OutRecord[] }[]> {
    const read = lanes.map((each) => {
      const { work } = each;
      const known = knownAfter(each);
      const about = { tenant, productExternalReference: work.lane.identity };
      const contents = work.toPublish === null ? [] : skuContents(work.toPublish.readModel, known.applied, about);
      return { work, known, contents };
    });
    const due = read.filter(({ work }) => work.toPublish !== null);
    if (due.length === 0) return read.map(({ work, known }) => ({ work, known, records: [] }));
    const wanted = {
      references: due.flatMap(({ contents }) => contents.map(({ skuExternalReference }) => skuExternalReference)),
      laneIds: due.map(({ work }) => work.lane.id),
    };
    const current = new Map((await this.skus.load(tx, tenant, wanted)).map((sku) => [sku.externalReference, sku]));
    const changed = new Map<string, SkuRow>();
    const time = new Date(this.clock.now()).toISOString();
    const published = read.map(({ work, known, contents }) => {
      const { lane, toPublish } = work;
      if (toPublish === null) return { work, known, records: [] };
      const references = contents.map(({ skuExternalReference }) => skuExternalReference);
      const named = new Set(references);
      const before = [...current.values()].filter(
        ({ laneId, externalReference }) => laneId === lane.id || named.has(externalReference),
      );
      const changes = skuChanges(before, contents);
      for (const { externalReference, version, content } of changes) {
        const row = { externalReference, laneId: lane.id, productExternalReference: lane.identity, version, content };
        current.set(externalReference, row);
        changed.set(externalReference, row);
      }
      const gone = changes.flatMap(({ externalReference, content }) => (content === null ? [externalReference] : []));
      const records = changes.map((each) => changeRecord({ tenant, time, cause: toPublish.cause }, each));
      return { work, known: afterPublishing(known, references, gone), records };
    });
    await this.skus.savePublished(tx, tenant, [...changed.values()]);
    return published;
  }
}

function savedLane({ step: { state }, concluded }: SavedStep<Save<ProductLane>>, timeoutMs: number): Saved {
  const { command, end } = state;
  const result = command === null ? undefined : concluded.get(command.id);
  if (end === null || result === undefined) return { work: state, ended: null };
  return { work: state, ended: { end, result, lostCallEndMs: lostCallEndMs(end.progress?.attempts ?? [], timeoutMs) } };
}

function keyOf({ lane: { id: laneId, identity: externalReference } }: ProductLane) {
  return { laneId, externalReference };
}

/** Words of the known state; of a product that was never applied, those of its last record. */
function wordsOf({ lane, command, end }: ProductLane, { applied }: KnownProduct): ProductWords {
  const skus = Object.entries(applied.skus).map(([externalReference, sku]) => ({ ...sku, externalReference }));
  if (Object.keys(applied.product).length > 0 || command === null || end === null || isResend(command)) {
    return productWords(applied.product, skus);
  }
  const body = splitBody(contentOf({ value: command.value, externalReference: lane.identity }));
  return productWords(body.product, body.skus);
}

function changeRecord(
  { tenant, time, cause }: { readonly tenant: string; readonly time: string; readonly cause: DueSnapshot },
  { externalReference: skuExternalReference, version, content }: SkuChange,
): OutRecord {
  if (content === null) return skuTombstone({ tenant, skuExternalReference, version, time }, cause);
  return skuRecord(buildSkuSnapshot({ ...content, version, time }), cause);
}

function knownAfter({ work, ended }: Saved): KnownProduct {
  const { known, command } = work;
  if (ended === null || command === null) return known;
  const { end, result, lostCallEndMs: lostMs } = ended;
  const { commandId, receivedAt, attempts, traceparent } = command;
  const isCorrectable =
    result.outcome === 'unconfirmed' && !isResend(command) && end.operationIds.length > 0 && end.progress !== null;
  const unconfirmed = isCorrectable
    ? {
        commandId,
        command: command.command,
        resultId: result.id,
        body: end.progress.body,
        calls: end.progress.attempts,
        operationIds: end.operationIds,
        receivedAt,
        attempts,
        traceparent,
        overtaken: false,
      }
    : null;
  const { sourceVersion, conclusion } = end;
  const operationIds = operationsOf(end.progress);
  // A resend repeats known values: silence puts nothing in doubt, and a good outcome changes nothing.
  const effect: Effect = isResend(command) && end.effect.kind === 'in-doubt' ? { kind: 'none' } : end.effect;
  const isNews = !isResend(command) || !['applied', 'unchanged'].includes(result.outcome);
  const ownEnd = recordOutcome({ ...conclusion, commandId, command: command.command, finishedAt: result.time });
  const lastEnd = isNews || known.lastEnd === null ? ownEnd : known.lastEnd;
  const about = { commandId, command: command.command, traceparent, lastEnd, lostCallEndMs: lostMs };
  return afterRecord(known, { effect, sourceVersion, operationIds, unconfirmed, ...about });
}

/** SKUs of the record that were not applied and that no read found in the shop. */
function unenteredSkus({ work, ended }: Saved): { laneId: string; externalReference: string }[] {
  if (ended === null || ended.end.effect.kind === 'in-doubt') return [];
  const { effect, conclusion } = ended.end;
  const entered = effect.kind === 'entered' ? effect.skus : new Set<string>();
  return (conclusion.skus ?? [])
    .map(({ externalReference }) => externalReference)
    .filter((sku) => !entered.has(sku) && !work.known.skus.includes(sku))
    .map((externalReference) => ({ laneId: work.lane.id, externalReference }));
}

function madeBy(laneId: string, made: ReturnType<typeof referencesOf>) {
  return made.map(({ kind, externalReference }) => ({ laneId, kind, externalReference }));
}

function upToNewest({ work }: Saved): { laneId: string; upToId: string }[] {
  return work.newestReportId === null ? [] : [{ laneId: work.lane.id, upToId: work.newestReportId }];
}
