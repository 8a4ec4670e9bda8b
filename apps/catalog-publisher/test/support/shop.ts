import { randomUUID } from 'node:crypto';
import { successReport } from './product-samples.ts';
import type { Reply } from '@gondola/local-stack/testing/test-server';
import type { PlatformRequest } from '@gondola/local-stack/testing/scripted-platform';

export type Product = Record<string, unknown> & { externalReference: string };

/** Reaction of the core to a product: the `data` of its notification, or silence. */
export type Fate = (product: Product) => object | null;

export const enters: Fate = (product) => successReport(product.externalReference, skusOf(product));
export const silent: Fate = () => null;

export interface Batch {
  readonly operationId: string;
  readonly products: readonly Product[];
}

/** A call that sent brands or categories: a POST of whole ones, or a DELETE of references. */
export interface ReferenceCall {
  readonly operationId: string;
  readonly method: string;
  /** `Brands` or `Categories`. */
  readonly route: string;
  readonly items: readonly unknown[];
}

/** How the shop reports what became of a product. */
export type Notify = (operationId: string, data: object) => Promise<void>;

/**
 * One tenant's shop as a test scripts it: it accepts batches, and gives each product the fate that the test wrote down
 * for it. It keeps nothing but what the test puts into `readModels`.
 */
export class Shop {
  readonly batches: Batch[] = [];
  readonly reads: string[] = [];
  readonly references: ReferenceCall[] = [];
  /** By reference. */
  readonly fates = new Map<string, Fate>();
  /** Of all others. */
  everyFate: Fate = enters;
  /** By reference: what `GET` answers. */
  readonly readModels = new Map<string, object>();
  /** Comes before everything else; what it answers is the answer. */
  before: (request: PlatformRequest) => Reply | undefined | Promise<Reply | undefined> = () => undefined;
  /** Reported before the answer, when true. */
  outcomeFirst = false;
  readonly #notify: Notify;
  readonly #reporting = new Set<Promise<void>>();

  constructor(notify: Notify) {
    this.#notify = notify;
  }

  async answer(request: PlatformRequest): Promise<Reply> {
    const scripted = await this.before(request);
    if (scripted !== undefined) return scripted;
    if (request.method === 'GET') return this.#read(decodeURIComponent(request.path.split('/').at(-1) ?? ''));
    const operationId = randomUUID();
    const route = request.path.split('/').at(-1) ?? '';
    if (route !== 'Products') {
      const { method } = request;
      this.references.push({ operationId, method, route, items: JSON.parse(request.body) as unknown[] });
      return { status: 200, json: { operationId } };
    }
    const products = JSON.parse(request.body) as Product[];
    this.batches.push({ operationId, products });
    const reported = this.#reportAll(operationId, products);
    this.#reporting.add(reported);
    void reported.finally(() => this.#reporting.delete(reported));
    if (this.outcomeFirst) await reported;
    return { status: 200, json: operationId };
  }

  /** The batches that held a product, in their order. */
  batchesOf(reference: string): Batch[] {
    return this.batches.filter(({ products }) =>
      products.some(({ externalReference }) => externalReference === reference),
    );
  }

  /** The calls that sent a brand or category, not those in whose tree it stood. */
  referencesOf(reference: string): ReferenceCall[] {
    const isIt = (item: unknown): boolean =>
      item === reference || (item as { externalReference?: string }).externalReference === reference;
    return this.references.filter(({ items }) => items.some(isIt));
  }

  /** Last posted body of a brand or category. */
  lastOf(reference: string): unknown {
    const items = this.referencesOf(reference).at(-1)?.items ?? [];
    return items.find((item) => (item as { externalReference?: string }).externalReference === reference);
  }

  /** Waits until every report is out. */
  async quiet(): Promise<void> {
    await Promise.all(this.#reporting);
  }

  /** Reports a product's fate of some operation, as the core would after a while. */
  async report(operationId: string, data: object): Promise<void> {
    await this.#notify(operationId, data);
  }

  #read(reference: string): Reply {
    this.reads.push(reference);
    const found = this.readModels.get(reference);
    return found === undefined ? { status: 404 } : { status: 200, json: found };
  }

  async #reportAll(operationId: string, products: readonly Product[]): Promise<void> {
    for (const product of products) {
      const data = (this.fates.get(product.externalReference) ?? this.everyFate)(product);
      if (data !== null) await this.#notify(operationId, data);
    }
  }
}

function skusOf({ skus }: Product): string[] {
  return Array.isArray(skus) ? skus.map((sku: { externalReference: string }) => sku.externalReference) : [];
}
