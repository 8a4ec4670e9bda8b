import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand, type CoreRefusal } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import { Takes } from '../core/takes.decorator.ts';
import { Ids } from '../runtime/ids.service.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { rowOf } from '../values/column-values.adapter.ts';
import { parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { Notifier } from '../webhooks/notifier.service.ts';
import { BrandEntity } from './brand.entity.ts';
import { decideBrand } from './brand.ts';
import { CategoriesRepository } from './categories.repository.ts';
import { CategoryEntity } from './category.entity.ts';
import { categoriesOf, decideCategory, type Category, type CategoryDecision, type CategoryItem } from './category.ts';
import { textOrNull } from './field-rules.ts';
import { ItemOutcomes } from './item-outcomes.service.ts';

const UNKNOWN_BRAND: CoreRefusal = { statusCode: 404, detail: 'Brand not found.', violations: [] };

/** Stores or rejects each brand or category of a batch. */
@Injectable()
export class TakeCatalogItems {
  constructor(
    private readonly database: Database,
    private readonly categories: CategoriesRepository,
    private readonly outcomes: ItemOutcomes,
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
    if (decision.kind === 'refused')
      return this.outcomes.rejected(tx, operation, 'Brand', named(item), decision.refusal);
    const { id, fields } = decision.brand;
    await brands.upsert(rowOf<BrandEntity>({ ...decision.brand, contractAccountId }), ['id']);
    return this.outcomes.entered(tx, operation, 'Brand', { ...fields, id }, existing !== null);
  }

  /** Removes one reference of a list; a refused removal has no failure event of its own. */
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

  /** Stores one entry of a batch with all its descendants; each category is decided separately. */
  @Takes({ kind: 'category-tree', by: 'in turn' })
  async storeCategories(tx: Tx, operation: Operation): Promise<void> {
    // In sequence: a child is refused if its parent was refused and did not exist before.
    for (const category of categoriesOf(parseExact(operation.payload))) {
      await this.storeCategory(tx, operation, category);
    }
  }

  private async storeCategory(tx: Tx, operation: Operation, category: CategoryItem): Promise<void> {
    const { contractAccountId } = operation;
    const { item } = category;
    const existing = await this.category(tx, operation, textOrNull(item, 'externalReference'));
    const decision = await this.decideCategory(tx, operation, category, existing);
    if (decision.kind === 'refused')
      return this.outcomes.rejected(tx, operation, 'Category', named(item), decision.refusal);
    const { id, fields } = decision.category;
    const row = rowOf<CategoryEntity>({ ...decision.category, contractAccountId });
    await this.database.repository(CategoryEntity, tx).upsert(row, ['id']);
    return this.outcomes.entered(tx, operation, 'Category', { ...fields, id }, existing !== undefined);
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
}

/** Names a brand or category in a failure; null for a field without text. */
function named(item: Json): JsonObject {
  return { externalReference: textOrNull(item, 'externalReference'), name: textOrNull(item, 'name') };
}
