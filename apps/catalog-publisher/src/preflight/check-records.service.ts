import { isValueKind } from '@gondola/shared/topics/values';
import { Database } from '@gondola/service-kit/database/database';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { skuReferences } from '../product-state/applied-product.ts';
import { UNKNOWN_PRODUCT } from '../product-state/known-product.ts';
import { ProductsRepository } from '../product-state/products.repository.ts';
import type { CatalogKind, ReferenceKind } from '../records/catalog-kinds.ts';
import { contentOf } from '../records/read-record.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import { mentionedReferences } from '../references/prepare-reference.ts';
import { REFERENCE_RULES } from '../references/reference-rules.ts';
import { knownSkus } from '../product-state/known-sku.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import { type MadeReference, referenceText } from '../waiting/awaiting.ts';
import { isAssumed, referencesOf } from '../waiting/known-references.ts';
import { type JudgedRecord, judgeRecord, type Known, type ReadableRecord, readRecord } from './judge-record.ts';

const NO_REFERENCES: Pick<Known, 'around' | 'inUse'> = {
  around: { stored: new Map(), parents: new Map() },
  inUse: new Set(),
};

/** Judges records as their lanes would, by the stored state of the shop. Stores, sends and reads nothing else. */
@Injectable()
export class CheckRecords {
  constructor(
    private readonly database: Database,
    private readonly tenants: CatalogTenants,
    private readonly products: ProductsRepository,
    private readonly references: ReferencesRepository,
    private readonly skus: SkusRepository,
  ) {}

  /** Null if the tenant is not configured. */
  async check(tenantId: string, kind: CatalogKind, texts: readonly string[]): Promise<JudgedRecord[] | null> {
    const tenant = this.tenants.find(tenantId);
    if (tenant === undefined) return null;
    const read = texts.map((text) => readRecord(kind, text, { tenant: tenant.id, language: tenant.language }));
    const known = await this.#known(
      tenant,
      kind,
      read.filter((each) => 'value' in each),
    );
    return read.map((each) => ('value' in each ? judgeRecord(each, known) : each));
  }

  async #known(tenant: CatalogTenant, kind: CatalogKind, records: readonly ReadableRecord[]): Promise<Known> {
    const { catalog, profile, language, assumed } = tenant;
    const named = records.map(({ externalReference }) => externalReference);
    const contents = kind === 'product' ? records.map(contentOf) : [];
    const products = await this.products.ofReferences(this.database, tenant.id, kind === 'product' ? named : []);
    const skus = await this.skus.load(this.database, tenant.id, {
      references: isValueKind(kind) ? named : contents.flatMap(skuReferences),
      laneIds: [],
    });
    const made = contents.flatMap((content) => referencesOf(content, {}));
    const parents = kind === 'category' ? records.flatMap((record) => mentioned(record, 'category')) : [];
    const asked = [...made, ...parents];
    const inShop = await this.references.known(this.database, tenant.id, asked);
    const published = new Set(
      skus.flatMap(({ externalReference, content }) => (content === null ? [] : [externalReference])),
    );
    return {
      catalog,
      profile,
      language,
      products: (reference) => products.get(reference) ?? UNKNOWN_PRODUCT,
      skus: knownSkus(skus),
      references: (each) =>
        each.kind === 'sku'
          ? published.has(each.externalReference)
          : inShop.has(referenceText(each)) || isAssumed(assumed, each as MadeReference),
      ...(kind === 'brand' || kind === 'category' ? await this.#around(tenant.id, kind, records) : NO_REFERENCES),
    };
  }

  async #around(tenant: string, kind: ReferenceKind, records: readonly ReadableRecord[]) {
    const references = records.flatMap((record) =>
      mentioned(record, kind).map(({ externalReference }) => externalReference),
    );
    const { isTree, isRemovable } = REFERENCE_RULES[kind];
    return {
      around: {
        stored: await this.references.load(this.database, tenant, kind, references),
        parents: isTree ? await this.references.parents(this.database, tenant, references) : new Map<string, null>(),
      },
      inUse: isRemovable ? await this.references.inUse(this.database, tenant, kind, references) : new Set<string>(),
    };
  }
}

function mentioned(record: ReadableRecord, kind: ReferenceKind): AwaitedReference[] {
  return mentionedReferences({ ...record, kind }).map((externalReference) => ({ kind, externalReference }));
}
