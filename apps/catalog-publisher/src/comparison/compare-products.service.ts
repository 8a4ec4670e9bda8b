import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { readCatalogRecord } from '@gondola/shared/catalog/catalog-record';
import { prepareProduct } from '@gondola/shared/catalog/product-record';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { Injectable } from '@nestjs/common';
import { readProduct } from '../platform/platform.adapter.ts';
import { type CatalogTenant, CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { type ReadableRecord, readRecord } from '../preflight/readable-record.ts';
import { skuReferences } from '../product-state/applied-product.ts';
import { UNKNOWN_PRODUCT } from '../product-state/known-product.ts';
import { ProductsRepository } from '../product-state/products.repository.ts';
import { withOp } from '../products/prepare-product.ts';
import { contentOf } from '../records/read-record.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import {
  appliedBody,
  compareProduct,
  type ComparedProduct,
  comparedSkus,
  type Expected,
  notCompared,
} from './compare-product.ts';
import { ReadPace } from './read-pace.service.ts';

/** Selection of the products to compare with the shop. */
export interface ComparisonWish {
  /** JSON texts of product records; null for all products that Gondola knows, ordered by reference. */
  readonly records: readonly string[] | null;
  /** Known products are compared from behind this reference on. */
  readonly after: string | null;
  /** Publish the shop's SKUs where they differ from the published state. */
  readonly adopt: boolean;
}

/** One page of compared products; of records, the first ones of the list. */
export interface ComparedPage {
  readonly products: readonly ComparedProduct[];
  /** Value of `after` for the next page of known products; null for no next page. */
  readonly next: string | null;
  /** Known products behind `next`, counted up to `MOST_COUNTED`. */
  readonly remaining: number;
  /** Reason for stopping early; null if the page is complete or its time was up. */
  readonly stopped: { readonly cause: string; readonly retryAfterMs: number } | null;
}

/** Known products in one page. */
const PAGE_SIZE = 50;
/** Most products counted behind a page, so that a page costs the same however many are known. */
export const MOST_COUNTED = 1_000;
/** Longest time for one page, so that neither an operator nor a shutdown waits for it. */
const PAGE_MS = 4_000;
const READ_MS = 10_000;

/**
 * Reads products back by reference, one by one at the configured pace, and compares them with their expected state.
 * No state is stored between two pages: the caller passes `after`, at any time and to any replica.
 */
@Injectable()
export class CompareProducts {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly workers: LaneWorkers,
    private readonly tenants: CatalogTenants,
    private readonly products: ProductsRepository,
    private readonly skus: SkusRepository,
    private readonly pace: ReadPace,
    private readonly randomness: Randomness,
  ) {}

  /** Null if the tenant is not configured. */
  async compare(tenantId: string, wish: ComparisonWish): Promise<ComparedPage | null> {
    const tenant = this.tenants.find(tenantId);
    if (tenant === undefined) return null;
    return wish.records === null ? this.#compareKnown(tenant, wish) : this.#compareRecords(tenant, wish.records, wish);
  }

  async #compareKnown(tenant: CatalogTenant, { after, adopt }: ComparisonWish): Promise<ComparedPage> {
    const page = await this.products.page(this.database, tenant.id, after, PAGE_SIZE);
    const expected = page.map(({ externalReference, known }) => ({
      tenant: tenant.id,
      externalReference,
      body: appliedBody(known.applied, externalReference),
      known,
    }));
    const { products, looked, stopped } = await this.#compareEach(tenant, expected, adopt);
    const last = expected[looked - 1]?.externalReference ?? after;
    const remaining = await this.products.countAfter(this.database, tenant.id, last, MOST_COUNTED);
    // A product that the shop neither has nor should have is no difference.
    const shown = products.filter((product, index) => product.state !== 'absent' || isExpected(expected[index]!));
    return { products: shown, next: remaining === 0 ? null : last, remaining, stopped };
  }

  async #compareRecords(
    tenant: CatalogTenant,
    texts: readonly string[],
    { adopt }: Pick<ComparisonWish, 'adopt'>,
  ): Promise<ComparedPage> {
    const read = texts.map((text) => readRecord('product', text, tenant));
    const references = read.flatMap((each) => ('value' in each ? [each.externalReference] : []));
    const known = await this.products.ofReferences(this.database, tenant.id, references);
    const expected = read.map((each) =>
      'value' in each ? expectedOf(tenant, each, known.get(each.externalReference)) : null,
    );
    const { products, stopped } = await this.#compareEach(tenant, expected, adopt);
    return { products, next: null, remaining: 0, stopped };
  }

  /** Compares one product after the other until the time is up or the platform does not answer. */
  async #compareEach(
    tenant: CatalogTenant,
    all: readonly (Expected | null)[],
    adopt: boolean,
  ): Promise<{
    readonly products: readonly ComparedProduct[];
    readonly looked: number;
    readonly stopped: ComparedPage['stopped'];
  }> {
    const endAt = performance.now() + PAGE_MS;
    const products: ComparedProduct[] = [];
    for (const expected of all) {
      if (expected === null) {
        products.push(notCompared(null, 'unreadable'));
        continue;
      }
      if (products.length > 0 && performance.now() >= endAt) break;
      const pausedMs = tenant.platform.pausedForMs('getProduct');
      const compared =
        pausedMs > 0 ? { cause: 'paused', retryAfterMs: pausedMs } : await this.#compareOne(tenant, expected, adopt);
      if ('cause' in compared) return { products, looked: products.length, stopped: compared };
      products.push(compared);
    }
    return { products, looked: products.length, stopped: null };
  }

  async #compareOne(
    tenant: CatalogTenant,
    expected: Expected,
    adopt: boolean,
  ): Promise<ComparedProduct | NonNullable<ComparedPage['stopped']>> {
    const { externalReference } = expected;
    const traceparent = tracing.begin('compare product', this.randomness.bytes);
    await this.pace.turn(tenant.id);
    const signal = AbortSignal.timeout(READ_MS);
    const answer = await readProduct(tenant.platform, externalReference, { signal, traceparent });
    if (answer.kind === 'unavailable') return { cause: answer.cause, retryAfterMs: answer.retryAfterMs };
    if (answer.kind === 'refused') return notCompared(externalReference, 'refused');
    if (answer.kind === 'not-found') {
      // A record that names what the product had must not end `unchanged`.
      if (expected.known.exists) await this.#adopt(tenant.id, externalReference, traceparent);
      return notCompared(externalReference, 'absent');
    }
    const references = comparedSkus(expected, answer.value);
    const skus = await this.skus.load(this.database, tenant.id, { references, laneIds: [] });
    const compared = compareProduct(expected, answer.value, skus);
    if (!adopt || (compared.skusToPublish.length === 0 && expected.known.exists)) return compared;
    await this.#adopt(tenant.id, externalReference, traceparent);
    return { ...compared, adopted: true };
  }

  /** Has the product's lane read it and publish what it has, or store that it is gone: it cannot overtake a record. */
  async #adopt(tenant: string, externalReference: string, adoption: string): Promise<void> {
    const key = { tenant, kind: 'product', identity: externalReference };
    await this.database.transaction(async (tx) => {
      const laneIds = await this.lanes.wake(tx, [key]);
      await this.products.adopt(tx, { laneId: laneIds.get(laneText(key))!, tenant, externalReference, adoption });
    });
    this.workers.wake();
  }
}

/** True if the product was in the shop, or a record put it there. */
function isExpected({ known }: Expected): boolean {
  return known.exists || Object.keys(known.applied.product).length > 0;
}

/** Body of a record for an existing product: no defaults (rule 23). */
function expectedOf(
  { id: tenant, catalog, language }: CatalogTenant,
  record: ReadableRecord,
  known: Expected['known'] = UNKNOWN_PRODUCT,
): Expected {
  const { op, content } = readCatalogRecord(contentOf(record), language);
  const exists = { product: true, skus: new Set(skuReferences(content)) };
  const { body } = prepareProduct(withOp(content, op), { ...catalog, language, known: exists });
  return { tenant, externalReference: record.externalReference, body, known };
}
