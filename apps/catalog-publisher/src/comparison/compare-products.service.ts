import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { readCatalogRecord } from '@gondola/shared/catalog/catalog-record';
import { prepareProduct } from '@gondola/shared/catalog/product-record';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import { Injectable } from '@nestjs/common';
import { type CatalogTenant, CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { type ReadableRecord, readRecord } from '../preflight/judge-record.ts';
import { skuReferences } from '../product-state/applied-product.ts';
import { UNKNOWN_PRODUCT } from '../product-state/known-product.ts';
import { ProductsRepository } from '../product-state/products.repository.ts';
import { withOp } from '../products/prepare-product.ts';
import { contentOf } from '../records/read-record.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import {
  appliedBody,
  compareProduct,
  type ComparedProduct,
  comparedSkus,
  type Expected,
  notCompared,
} from './compare-product.ts';
import { ReadPace } from './read-pace.service.ts';

/** Which products are compared with the shop. */
export interface ComparisonWish {
  /** JSON texts of product records; null: the products that Gondola knows, in the order of their references. */
  readonly records: readonly string[] | null;
  /** Of those that Gondola knows, only what comes behind this reference. */
  readonly after: string | null;
  /** What the shop has of their SKUs is published where it differs. */
  readonly adopt: boolean;
}

/** Some products compared; with records, those at the beginning of the list. */
export interface ComparedPage {
  readonly products: readonly ComparedProduct[];
  /** For `after` of the next page of known products; null: there is none. */
  readonly next: string | null;
  /** Known products behind `next`. */
  readonly remaining: number;
  /** Why no more were compared; null: the page is through, or its time was up. */
  readonly stopped: { readonly cause: string; readonly retryAfterMs: number } | null;
}

/** Known products that one page looks at. */
const PAGE_SIZE = 50;
/** One page ends after so long, so that neither an operator nor a shutdown waits for it. */
const PAGE_MS = 4_000;
const READ_MS = 10_000;

/**
 * Reads products back by their references, one by one at the configured pace, and says how the shop has them. A page is
 * all that is remembered: who asks goes on behind it, whenever and wherever.
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

  /** Null: no such tenant is configured. */
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
    const remaining = await this.products.countAfter(this.database, tenant.id, last);
    // What the shop neither has nor should have is no difference.
    const told = products.filter((product, index) => product.state !== 'absent' || expected[index]!.known.exists);
    return { products: told, next: remaining === 0 ? null : last, remaining, stopped };
  }

  async #compareRecords(
    tenant: CatalogTenant,
    texts: readonly string[],
    { adopt }: Pick<ComparisonWish, 'adopt'>,
  ): Promise<ComparedPage> {
    const read = texts.map((text) => readRecord('product', text, { tenant: tenant.id, language: tenant.language }));
    const references = read.flatMap((each) => ('value' in each ? [each.externalReference] : []));
    const known = await this.products.ofReferences(this.database, tenant.id, references);
    const expected = read.map((each) =>
      'value' in each ? expectedOf(tenant, each, known.get(each.externalReference)) : null,
    );
    const { products, stopped } = await this.#compareEach(tenant, expected, adopt);
    return { products, next: null, remaining: 0, stopped };
  }

  /** One after the other, until the time is up or the platform is away. */
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
      const pausedMs = tenant.platform.pausedForMs();
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
    const traceparent = childTraceparent(null, this.randomness.bytes(TRACE_RANDOM_BYTES));
    await this.pace.turn(tenant.id);
    const signal = AbortSignal.timeout(READ_MS);
    const answer = await tenant.platform.readProduct(externalReference, { signal, traceparent });
    if (answer.kind === 'unavailable') return { cause: answer.cause, retryAfterMs: answer.retryAfterMs };
    if (answer.kind === 'refused') return notCompared(externalReference, 'refused');
    if (answer.product === null) return notCompared(externalReference, 'absent');
    const references = comparedSkus(expected, answer.product);
    const skus = await this.skus.load(this.database, tenant.id, { references, laneIds: [] });
    const compared = compareProduct(expected, answer.product, skus);
    if (!adopt || (compared.skusToPublish.length === 0 && expected.known.exists)) return compared;
    await this.#adopt(tenant.id, externalReference, traceparent);
    return { ...compared, adopted: true };
  }

  /** The product’s lane reads it once more and publishes, so that nothing overtakes a record. */
  async #adopt(tenant: string, externalReference: string, adoption: string): Promise<void> {
    const key = { tenant, kind: 'product', identity: externalReference };
    await this.database.transaction(async (tx) => {
      const laneIds = await this.lanes.wake(tx, [key]);
      await this.products.adopt(tx, { laneId: laneIds.get(laneText(key))!, tenant, externalReference, adoption });
    });
    this.workers.wake();
  }
}

/** A record as it would be posted to change what is there: no defaults (rule 23). */
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
