import { Commands } from '@gondola/lanes/commands/commands';
import { Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { filledData } from '@gondola/platform-client/wire-bodies';
import { isValueKind, type ValueKind } from '@gondola/shared/topics/values';
import { Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { skuReferences } from '../product-state/applied-product.ts';
import { ProductsRepository } from '../product-state/products.repository.ts';
import { SkusRepository } from '../product-state/skus.repository.ts';
import { CATALOG_TOPICS, type CatalogKind, type ReferenceKind } from '../records/catalog-kinds.ts';
import { placeNamesOf } from '../records/place-names.ts';
import { contentOf } from '../records/read-record.ts';
import { mentionedReferences } from '../references/prepare-reference.ts';
import { ReferenceLanesRepository } from '../references/reference-lanes.repository.ts';
import { REFERENCE_RULES } from '../references/reference-rules.ts';
import { ReferencesRepository } from '../references/references.repository.ts';
import { ValueLanesRepository } from '../values/value-lanes.repository.ts';
import { type MadeReference, referenceText } from '../waiting/awaiting.ts';
import { isAssumed, referencesOf } from '../waiting/known-references.ts';
import { productJudge } from './judge-product.ts';
import { type Judge, judgeRecords } from './judge-records.ts';
import { referenceJudge } from './judge-reference.ts';
import { valueJudge } from './judge-value.ts';
import type { IsKnown, JudgedRecord } from './judged-record.ts';
import { type ReadableRecord, readRecord } from './readable-record.ts';

type Named = Pick<MadeReference, 'kind' | 'externalReference'>;

/** Judges records as their lanes would, by the stored state of the shop. Stores, sends and reads nothing else. */
@Injectable()
export class CheckRecords {
  constructor(
    private readonly database: Database,
    private readonly tenants: CatalogTenants,
    private readonly commands: Commands,
    private readonly lanes: Lanes,
    private readonly products: ProductsRepository,
    private readonly references: ReferencesRepository,
    private readonly referenceLanes: ReferenceLanesRepository,
    private readonly skus: SkusRepository,
    private readonly valueLanes: ValueLanesRepository,
  ) {}

  /** Null if the tenant is not configured. */
  async check(tenantId: string, kind: CatalogKind, texts: readonly string[]): Promise<JudgedRecord[] | null> {
    const tenant = this.tenants.find(tenantId);
    if (tenant === undefined) return null;
    const read = texts.map((text) => readRecord(kind, text, tenant, this.tenants.placeNames));
    const records = read.filter((each) => 'value' in each);
    const ids = records.flatMap(({ recordId }) => recordId ?? []);
    const hashes = await this.commands.contentHashes(this.database, tenant.id, CATALOG_TOPICS[kind], ids);
    return judgeRecords(read, await this.#judge(tenant, kind, records), hashes, tenant.language);
  }

  #judge(tenant: CatalogTenant, kind: CatalogKind, records: readonly ReadableRecord[]): Promise<Judge> {
    if (isValueKind(kind)) return this.#valueJudge(tenant, kind, records);
    return kind === 'product' ? this.#productJudge(tenant, records) : this.#referenceJudge(tenant, kind, records);
  }

  async #productJudge(tenant: CatalogTenant, records: readonly ReadableRecord[]): Promise<Judge> {
    const contents = records.map(contentOf);
    const named = records.map(({ externalReference }) => externalReference);
    const laneIds = await this.#laneIds(tenant, records);
    const [products, skus, isKnown] = await Promise.all([
      this.products.ofReferences(this.database, tenant.id, named),
      this.skus.load(this.database, tenant.id, {
        references: contents.flatMap(skuReferences),
        laneIds: [...laneIds.values()],
      }),
      this.#isKnown(
        tenant,
        contents.flatMap((content) => referencesOf(content, {})),
      ),
    ]);
    return productJudge({ ...tenant, products, skus, isKnown });
  }

  async #referenceJudge(
    tenant: CatalogTenant,
    kind: ReferenceKind,
    records: readonly ReadableRecord[],
  ): Promise<Judge> {
    const { isTree, isRemovable } = REFERENCE_RULES[kind];
    const mentioned = records.flatMap((record) => mentionedReferences({ ...record, kind }));
    const laneIds = await this.#laneIds(tenant, records);
    const stored = await this.references.load(this.database, tenant.id, kind, mentioned);
    // A category that names no parent goes with its stored one.
    const named = [...mentioned, ...[...stored.values()].flatMap(({ parent }) => parent ?? [])];
    const [parents, inUse, states, isKnown] = await Promise.all([
      isTree ? this.references.parents(this.database, tenant.id, mentioned) : new Map<string, null>(),
      isRemovable ? this.references.inUse(this.database, tenant.id, kind, mentioned) : new Set<string>(),
      this.referenceLanes.load(this.database, [...laneIds.values()]),
      this.#isKnown(
        tenant,
        named.map((externalReference) => ({ kind, externalReference })),
      ),
    ]);
    const sourceVersions = new Map([...laneIds].map(([lane, id]) => [lane, states.get(id)?.sourceVersion ?? null]));
    const { allowedExtraKeys } = tenant.catalog;
    return referenceJudge({ ...tenant, kind, allowedExtraKeys, stored, parents, inUse, sourceVersions, isKnown });
  }

  async #valueJudge(tenant: CatalogTenant, kind: ValueKind, records: readonly ReadableRecord[]): Promise<Judge> {
    const references = records.map(({ externalReference }) => externalReference);
    const laneIds = await this.#laneIds(tenant, records);
    const [loaded, skus] = await Promise.all([
      this.valueLanes.load(this.database, [...laneIds.values()]),
      this.skus.load(this.database, tenant.id, { references, laneIds: [] }),
    ]);
    const states = new Map([...laneIds].map(([lane, id]) => [lane, loaded.get(id)!]));
    const contents = new Map(skus.map(({ externalReference, content }) => [externalReference, content]));
    const skuOf = (reference: string) => (kind === 'warehouse' ? null : (contents.get(reference) ?? null));
    const names = placeNamesOf(tenant, kind);
    const { language } = tenant;
    return valueJudge({
      kind,
      language,
      states,
      fillingOf: (reference) => ({ kind, names, sku: skuOf(reference), fill: filledData }),
      isKnown: ({ externalReference }) => skuOf(externalReference) !== null,
    });
  }

  /** Ids of the records' lanes, by identity. */
  async #laneIds({ id: tenant }: CatalogTenant, records: readonly ReadableRecord[]): Promise<Map<string, string>> {
    const keys = records.map(({ kind, lane: identity }) => ({ tenant, kind, identity }));
    const ids = await this.lanes.idsOf(this.database, keys);
    return new Map(
      keys.flatMap((key) => {
        const id = ids.get(laneText(key));
        return id === undefined ? [] : [[key.identity, id]];
      }),
    );
  }

  async #isKnown({ id, assumed }: CatalogTenant, named: readonly Named[]): Promise<IsKnown> {
    const inShop = await this.references.known(this.database, id, named);
    return (each) =>
      inShop.has(referenceText(each)) || (each.kind !== 'sku' && isAssumed(assumed, { ...each, kind: each.kind }));
  }
}
