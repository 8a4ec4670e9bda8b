import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { itemEntered, itemRejected, type NamedItem } from '../domain/catalog/catalog-notifications.ts';
import { categoriesOf, type CategoryItem } from '../domain/catalog/category-tree.ts';
import { decideCategory, type Category, type CategoryDecision } from '../domain/catalog/category.ts';
import { textOrNull } from '../domain/catalog/field-rules.ts';
import { refusedOnDemand } from '../domain/core-error.ts';
import { parseExact } from '../domain/exact-json.ts';
import { CategoriesRepository } from '../outbound/categories.repository.ts';
import { rowOf } from '../outbound/column-values.ts';
import { CategoryEntity } from '../outbound/category.entity.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';
import { SwitchBoard } from './switch-board.ts';

/** One entry of a category batch with all that lies below it, each category decided for itself. */
@Injectable()
export class ApplyCategoryTree implements CoreStep {
  readonly kind = 'category-tree';

  constructor(
    private readonly database: Database,
    private readonly categories: CategoriesRepository,
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
    private readonly ids: Ids,
  ) {}

  async applyGroup(tx: Tx, operations: readonly Operation[]): Promise<void> {
    for (const operation of operations) await this.apply(tx, operation);
  }

  async apply(tx: Tx, operation: Operation): Promise<void> {
    // One after the other: a child is refused when its parent was refused and did not exist before.
    for (const category of categoriesOf(parseExact(operation.payload))) await this.applyOne(tx, operation, category);
  }

  private async applyOne(tx: Tx, operation: Operation, category: CategoryItem): Promise<void> {
    const { operationId, contractAccountId } = operation;
    const { item } = category;
    const existing = await this.find(tx, contractAccountId, textOrNull(item, 'externalReference'));
    const decision = await this.decide(tx, operation, category, existing);
    if (decision.kind === 'stored') {
      const { id, fields } = decision.category;
      await this.database
        .repository(CategoryEntity, tx)
        .upsert(rowOf<CategoryEntity>({ ...decision.category, contractAccountId }), ['id']);
      if (this.switches.behaviour.successEvents === 'none') return;
      const entered = { operationId, contractAccountId, entity: 'Category', data: { ...fields, id } } as const;
      await this.notifier.notify(tx, itemEntered(entered, existing !== undefined));
      return;
    }
    const data: NamedItem = {
      externalReference: textOrNull(item, 'externalReference'),
      name: textOrNull(item, 'name'),
    };
    const rejected = { operationId, contractAccountId, entity: 'Category', data } as const;
    const context = { instance: '/v1/gateway/categories', traceId: this.ids.newTraceId() };
    await this.notifier.notify(tx, itemRejected(rejected, decision.refusal, context));
  }

  private async decide(
    tx: Tx,
    operation: Operation,
    category: CategoryItem,
    existing: Category | undefined,
  ): Promise<CategoryDecision> {
    const { contractAccountId, directive } = operation;
    const refusal = refusedOnDemand(directive);
    if (refusal) return { kind: 'refused', refusal };
    const parent = await this.find(tx, contractAccountId, category.parentReference);
    const above = existing && parent ? await this.categories.path(parent.id, tx) : [];
    const parentIsBelow = above.some(({ id }) => id === existing?.id);
    const { requiredOfCategory } = this.switches.behaviour;
    const newGuid = (): string => this.ids.newGuid();
    return decideCategory(category, { existing, parent, parentIsBelow }, newGuid, requiredOfCategory);
  }

  private async find(
    tx: Tx,
    contractAccountId: string,
    externalReference: string | null | undefined,
  ): Promise<Category | undefined> {
    if (typeof externalReference !== 'string') return undefined;
    const categories = this.database.repository(CategoryEntity, tx);
    return (await categories.findOneBy({ contractAccountId, externalReference })) ?? undefined;
  }
}
