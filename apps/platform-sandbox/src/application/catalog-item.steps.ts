import { createHash } from 'node:crypto';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { decideBrand } from '../domain/catalog/brand.ts';
import {
  categoriesOf,
  decideCategory,
  type Category,
  type CategoryDecision,
  type CategoryItem,
} from '../domain/catalog/category.ts';
import { textOrNull } from '../domain/catalog/field-rules.ts';
import { NO_RECORD, identityOf, type LooseEntity } from '../domain/catalog/loose-record.ts';
import { refusedOnDemand, type CoreRefusal } from '../domain/core-error.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../domain/exact-json.ts';
import { BrandEntity } from '../outbound/brand.entity.ts';
import { CategoriesRepository } from '../outbound/categories.repository.ts';
import { CategoryEntity } from '../outbound/category.entity.ts';
import { rowOf } from '../outbound/column-values.ts';
import { LooseRecordEntity } from '../outbound/loose-record.entity.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { Takes } from './core.step.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';
import { SwitchBoard } from './switch-board.ts';

export type LoosePayload = { readonly entity: LooseEntity; readonly item: Json };

type ItemEntity = 'Brand' | 'Category' | LooseEntity;

const UNKNOWN_BRAND: CoreRefusal = { statusCode: 404, detail: 'Brand not found.', violations: [] };

/** Brands, categories, prices, warehouses and stock: each item of a batch is stored, or rejected. */
@Injectable()
export class CatalogItemSteps {
  constructor(
    private readonly database: Database,
    private readonly categories: CategoriesRepository,
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
    private readonly ids: Ids,
  ) {}

  @Takes({ kind: 'brand', by: 'in turn' })
  async storeBrand(tx: Tx, operation: Operation): Promise<void> {
    const { contractAccountId, payload, directive } = operation;
    const item = parseExact(payload);
    const brands = this.database.repository(BrandEntity, tx);
    const externalReference = textOrNull(item, 'externalReference');
    const existing =
      externalReference === null ? null : await brands.findOneBy({ contractAccountId, externalReference });
    const demanded = refusedOnDemand(directive);
    const decision = demanded
      ? ({ kind: 'refused', refusal: demanded } as const)
      : decideBrand(item, existing ?? undefined, () => this.ids.newGuid());
    if (decision.kind === 'refused') return this.reject(tx, operation, 'Brand', named(item), decision.refusal);
    const { id, fields } = decision.brand;
    await brands.upsert(rowOf<BrandEntity>({ ...decision.brand, contractAccountId }), ['id']);
    return this.entered(tx, operation, 'Brand', { ...fields, id }, existing !== null);
  }

  /** One reference of a list; a refused removal has no failure event of its own. */
  @Takes({ kind: 'brand-removal', by: 'one' })
  async removeBrand(tx: Tx, operation: Operation): Promise<void> {
    const given = parseExact(operation.payload);
    const externalReference = typeof given === 'string' ? given : null;
    const refusal = refusedOnDemand(operation.directive) ?? (await this.remove(tx, operation, externalReference));
    if (refusal === undefined) return;
    const data = { externalReference, name: null };
    const about = { relatedEntity: 'Brand', eventType: 'Operation_Failed', data, route: 'brands' } as const;
    await this.notifier.refuse(tx, operation, about, refusal);
  }

  private async remove(
    tx: Tx,
    { contractAccountId }: Operation,
    externalReference: string | null,
  ): Promise<CoreRefusal | undefined> {
    if (externalReference === null) return UNKNOWN_BRAND;
    const { affected } = await this.database
      .repository(BrandEntity, tx)
      .delete({ contractAccountId, externalReference });
    return affected === 0 ? UNKNOWN_BRAND : undefined;
  }

  /** One entry of a batch with all that lies below it, each category decided for itself. */
  @Takes({ kind: 'category-tree', by: 'in turn' })
  async storeCategories(tx: Tx, operation: Operation): Promise<void> {
    // One after the other: a child is refused when its parent was refused and did not exist before.
    for (const category of categoriesOf(parseExact(operation.payload))) {
      await this.storeCategory(tx, operation, category);
    }
  }

  private async storeCategory(tx: Tx, operation: Operation, category: CategoryItem): Promise<void> {
    const { contractAccountId } = operation;
    const { item } = category;
    const existing = await this.category(tx, operation, textOrNull(item, 'externalReference'));
    const decision = await this.decideCategory(tx, operation, category, existing);
    if (decision.kind === 'refused') return this.reject(tx, operation, 'Category', named(item), decision.refusal);
    const { id, fields } = decision.category;
    const row = rowOf<CategoryEntity>({ ...decision.category, contractAccountId });
    await this.database.repository(CategoryEntity, tx).upsert(row, ['id']);
    return this.entered(tx, operation, 'Category', { ...fields, id }, existing !== undefined);
  }

  private async decideCategory(
    tx: Tx,
    operation: Operation,
    category: CategoryItem,
    existing: Category | undefined,
  ): Promise<CategoryDecision> {
    const refusal = refusedOnDemand(operation.directive);
    if (refusal) return { kind: 'refused', refusal };
    const parent = await this.category(tx, operation, category.parentReference);
    const above = existing && parent ? await this.categories.path(parent.id, tx) : [];
    const parentIsBelow = above.some(({ id }) => id === existing?.id);
    const { requiredOfCategory } = this.switches.behaviour;
    const newGuid = (): string => this.ids.newGuid();
    return decideCategory(category, { existing, parent, parentIsBelow }, newGuid, requiredOfCategory);
  }

  private async category(
    tx: Tx,
    { contractAccountId }: Operation,
    externalReference: string | null | undefined,
  ): Promise<Category | undefined> {
    if (typeof externalReference !== 'string') return undefined;
    const categories = this.database.repository(CategoryEntity, tx);
    return (await categories.findOneBy({ contractAccountId, externalReference })) ?? undefined;
  }

  /** A price, a warehouse or stock is stored as it is. */
  @Takes({ kind: 'loose-record', by: 'in turn' })
  async storeRecord(tx: Tx, operation: Operation): Promise<void> {
    const { contractAccountId, payload, directive } = operation;
    const { entity, item: data } = parseExact(payload) as JsonObject & LoosePayload;
    const demanded = refusedOnDemand(directive);
    if (demanded || !isJsonObject(data)) return this.reject(tx, operation, entity, data, demanded ?? NO_RECORD);
    const records = this.database.repository(LooseRecordEntity, tx);
    const key = { contractAccountId, entity, identity: sha256(identityOf(entity, data, sha256)) };
    const existed = await records.existsBy(key);
    await records.upsert(rowOf<LooseRecordEntity>({ ...key, data }), ['contractAccountId', 'entity', 'identity']);
    return this.entered(tx, operation, entity, data, existed);
  }

  /** Silent unless the switch `successEvents` says otherwise, because no name of such an event is shown. */
  private async entered(tx: Tx, operation: Operation, entity: ItemEntity, data: Json, existed: boolean): Promise<void> {
    if (this.switches.behaviour.successEvents === 'none') return;
    const { operationId, contractAccountId } = operation;
    const eventType = existed ? (`${entity}_Updated` as const) : (`${entity}_Created` as const);
    await this.notifier.notify(tx, { operationId, contractAccountId, relatedEntity: entity, eventType, data });
  }

  private async reject(
    tx: Tx,
    operation: Operation,
    entity: ItemEntity,
    data: Json,
    refusal: CoreRefusal,
  ): Promise<void> {
    const route = { Brand: 'brands', Category: 'categories' }[entity as string] ?? entity;
    const about = { relatedEntity: entity, eventType: `${entity}_CreationFailed`, data, route } as const;
    await this.notifier.refuse(tx, operation, about, refusal);
  }
}

/** A brand or category in a failure: what the item has no text for is null. */
function named(item: Json): JsonObject {
  return { externalReference: textOrNull(item, 'externalReference'), name: textOrNull(item, 'name') };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
