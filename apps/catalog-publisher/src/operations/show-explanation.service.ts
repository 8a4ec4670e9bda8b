import { Database } from '@gondola/service-kit/database/database';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { Injectable } from '@nestjs/common';
import { type CatalogTenant, CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { ShowCatalog } from './show-catalog.service.ts';
import { readProduct } from '../platform/platform.adapter.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import { ValueLanesRepository } from '../values/value-lanes.repository.ts';
import { isAssumed, referencesOf } from '../waiting/known-references.ts';
import { type MadeReference, referenceText } from '../waiting/awaiting.ts';
import { activeSkus, type Explanation, explainProduct, type ProductFacts, shopReferences } from './explain-product.ts';

/** Longest wait of an operator for the platform's answer. */
const READ_MS = 10_000;
/** `00-<trace>-<span>-00`: an operator's read belongs to no trace. */
const NO_TRACE = '00-00000000000000000000000000000001-0000000000000001-00';

/** Explains why a product is not in the shop, from Gondola's tables and the platform's current answer. */
@Injectable()
export class ShowExplanation {
  constructor(
    private readonly database: Database,
    private readonly tenants: CatalogTenants,
    private readonly catalog: ShowCatalog,
    private readonly references: ReferencesRepository,
    private readonly valueLanes: ValueLanesRepository,
  ) {}

  /** Null if the tenant is not configured. */
  async explain(tenantId: string, externalReference: string, language?: Language): Promise<Explanation | null> {
    const tenant = this.tenants.find(tenantId);
    if (tenant === undefined) return null;
    const facts = await this.#facts(tenant, externalReference);
    return explainProduct(facts, language ?? tenant.language);
  }

  async #facts(tenant: CatalogTenant, externalReference: string): Promise<ProductFacts> {
    const shown = await this.catalog.product(tenant.id, externalReference);
    const readModel = await this.#read(tenant, externalReference);
    const applied = shown?.applied.product ?? {};
    const [open] = shown?.open ?? [];
    const values = { ...applied, ...shopReferences(readModel) };
    const named = referencesOf(values, {});
    const known = await this.references.known(this.database, tenant.id, named);
    const brand = named.find(({ kind }) => kind === 'brand');
    const category = named.find(({ kind }) => kind === 'category');
    const isOfShop = (reference: MadeReference): boolean =>
      shopReferences(readModel)[reference.field] === reference.externalReference;
    return {
      open: open ?? null,
      lastEnd: shown?.lastEnd ?? null,
      applied,
      readModel,
      brand:
        brand === undefined
          ? null
          : {
              ...brand,
              isKnown: isOfShop(brand) || known.has(referenceText(brand)) || isAssumed(tenant.assumed, brand),
            },
      categories:
        category === undefined
          ? Object.hasOwn(values, 'categoryExternalReference')
            ? []
            : null
          : await this.#categories(tenant, category.externalReference, isOfShop(category)),
      skus: await this.#skus(tenant.id, activeSkus(readModel) ?? shown?.skus ?? []),
    };
  }

  /** Undefined if the platform could not be asked. */
  async #read({ platform }: CatalogTenant, externalReference: string): Promise<JsonRecord | null | undefined> {
    if (platform.pausedForMs('getProduct') > 0) return undefined;
    const signal = AbortSignal.timeout(READ_MS);
    const answer = await readProduct(platform, externalReference, { signal, traceparent: NO_TRACE });
    if (answer.kind === 'not-found') return null;
    return answer.kind === 'found' ? answer.value : undefined;
  }

  /** @param isOfShop the shop has the category, whether or not a record came of it */
  async #categories(
    { id, assumed }: CatalogTenant,
    reference: string,
    isOfShop: boolean,
  ): Promise<ProductFacts['categories']> {
    const parents = await this.references.parents(this.database, id, [reference]);
    const way: string[] = [];
    for (let at: string | null = reference; at !== null && !way.includes(at); at = parents.get(at) ?? null)
      way.push(at);
    const stored = await this.references.load(this.database, id, 'category', way);
    return way.map((externalReference) => {
      const category = stored.get(externalReference);
      const isKnown =
        category?.exists === true ||
        (isOfShop && externalReference === reference) ||
        isAssumed(assumed, { kind: 'category', externalReference });
      const record = category?.record ?? null;
      return { externalReference, isKnown, isShown: record === null ? null : record['showInStoreFront'] !== false };
    });
  }

  async #skus(tenant: string, references: readonly string[]): Promise<ProductFacts['skus']> {
    const values = await this.valueLanes.ofSkus(this.database, tenant, references);
    const applied = new Set(
      values.filter((value) => value.applied !== null).map(({ kind, reference }) => `${kind}/${reference}`),
    );
    return references.map((externalReference) => ({
      externalReference,
      hasPrice: applied.has(`price/${externalReference}`),
      hasStock: applied.has(`stock/${externalReference}`),
    }));
  }
}
