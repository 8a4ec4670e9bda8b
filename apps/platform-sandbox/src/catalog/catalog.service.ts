import type { Core } from '../core/core.service.ts';
import type { Operation } from '../core/operation.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { Store, Table } from '../store/store.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import { keyOf, parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { refusedOnDemand, type CoreRefusal } from '../values/refusal.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';
import { decideBrand, type Brand } from './brand.ts';
import { categoriesOf, decideCategory, type Category, type CategoryDecision, type CategoryItem } from './category.ts';
import { textOrNull } from './field-rules.ts';
import type { ItemOutcomes } from './item-outcomes.service.ts';

/** A brand or category as stored; `text` is its last given keys as exact JSON. */
export interface CatalogRow {
  readonly seq: number;
  readonly contractAccountId: string;
  readonly id: string;
  readonly externalReference: string;
  readonly parentId: string | null;
  readonly text: string;
}

export interface CatalogEntry extends Category {
  readonly seq: number;
  readonly contractAccountId: string;
}

export interface CatalogServices {
  readonly store: Store;
  readonly core: Core;
  readonly notifier: Notifier;
  readonly outcomes: ItemOutcomes;
  readonly switches: SwitchBoard;
  readonly ids: Ids;
}

const UNKNOWN_BRAND: CoreRefusal = { statusCode: 404, detail: 'Brand not found.', violations: [] };

/** Brands or categories by their ids and references. */
export class CatalogShelf {
  readonly table: Table<string, CatalogRow>;
  private readonly byReference = new Map<string, string>();

  constructor(
    name: string,
    private readonly store: Store,
  ) {
    this.table = store.table(name);
    this.table.watch((id, after, before) => {
      if (before) this.byReference.delete(keyOfReference(before.contractAccountId, before.externalReference));
      if (after) this.byReference.set(keyOfReference(after.contractAccountId, after.externalReference), id);
    });
  }

  find(contractAccountId: string, externalReference: string | null | undefined): CatalogEntry | undefined {
    if (typeof externalReference !== 'string') return undefined;
    return this.byId(this.byReference.get(keyOfReference(contractAccountId, externalReference)) ?? null);
  }

  byId(id: string | null): CatalogEntry | undefined {
    const row = id === null ? undefined : this.table.get(id);
    return row && entryOf(row);
  }

  values(): CatalogEntry[] {
    return [...this.table.values()].map(entryOf);
  }

  save(contractAccountId: string, { id, externalReference, fields, parentId = null }: Brand & Partial<Category>): void {
    const seq = this.table.get(id)?.seq ?? this.store.next('catalog');
    this.table.put(id, { seq, contractAccountId, id, externalReference, parentId, text: JSON.stringify(fields) });
  }

  /** The entry and its ancestors up to the root. */
  path(id: string): CatalogEntry[] {
    const path: CatalogEntry[] = [];
    for (let next = this.byId(id); next !== undefined; next = this.byId(next.parentId)) path.push(next);
    return path;
  }
}

function entryOf({ text, ...row }: CatalogRow): CatalogEntry {
  return { ...row, fields: parseExact(text) as JsonObject };
}

function keyOfReference(contractAccountId: string, externalReference: string): string {
  return `${contractAccountId} ${externalReference}`;
}

/** Stores or rejects each brand or category of a batch. */
export class Catalog {
  readonly brands: CatalogShelf;
  readonly categories: CatalogShelf;
  /** Called when a brand is removed, in the same unit of work. */
  onBrandRemoved: (id: string) => void = () => {};

  constructor(private readonly services: CatalogServices) {
    this.brands = new CatalogShelf('brands', services.store);
    this.categories = new CatalogShelf('categories', services.store);
    const { core } = services;
    core.take('brand', (operation) => this.storeBrand(operation));
    core.take('brand-removal', (operation) => this.removeBrand(operation));
    core.take('category-tree', (operation) => this.storeCategories(operation));
  }

  /** True if a category and all above it are shown. */
  isInMenu(id: string): boolean {
    return this.categories.path(id).every(({ fields }) => keyOf(fields, 'showInStoreFront') !== false);
  }

  private storeBrand(operation: Operation): void {
    const { contractAccountId, payload, directive } = operation;
    const { outcomes, ids } = this.services;
    const item = parseExact(payload);
    const existing = this.brands.find(contractAccountId, textOrNull(item, 'externalReference'));
    const demanded = refusedOnDemand(directive);
    const decision = demanded
      ? ({ kind: 'refused', refusal: demanded } as const)
      : decideBrand(item, existing, () => ids.newGuid());
    if (decision.kind === 'refused') return outcomes.rejected(operation, 'Brand', named(item), decision.refusal);
    const { id, fields } = decision.brand;
    this.brands.save(contractAccountId, decision.brand);
    return outcomes.entered(operation, 'Brand', { ...fields, id }, existing !== undefined);
  }

  /** Removes one reference of a list; a refused removal has no failure event of its own. */
  private removeBrand(operation: Operation): void {
    const given = parseExact(operation.payload);
    const externalReference = typeof given === 'string' ? given : null;
    const brand = this.brands.find(operation.contractAccountId, externalReference);
    const refusal = refusedOnDemand(operation.directive) ?? (brand ? undefined : UNKNOWN_BRAND);
    if (refusal === undefined && brand) {
      this.brands.table.delete(brand.id);
      this.onBrandRemoved(brand.id);
      return;
    }
    const data = { externalReference, name: null };
    const about = { relatedEntity: 'Brand', eventType: 'Operation_Failed', data, route: 'brands' } as const;
    this.services.notifier.refuse(operation, about, refusal ?? UNKNOWN_BRAND);
  }

  /** Stores one entry of a batch with all its descendants; each category is decided separately. */
  private storeCategories(operation: Operation): void {
    // In sequence: a child is refused if its parent was refused and did not exist before.
    for (const category of categoriesOf(parseExact(operation.payload))) this.storeCategory(operation, category);
  }

  private storeCategory(operation: Operation, category: CategoryItem): void {
    const { contractAccountId } = operation;
    const { outcomes } = this.services;
    const { item } = category;
    const existing = this.categories.find(contractAccountId, textOrNull(item, 'externalReference'));
    const decision = this.decideCategory(operation, category, existing);
    if (decision.kind === 'refused') return outcomes.rejected(operation, 'Category', named(item), decision.refusal);
    const { id, fields } = decision.category;
    this.categories.save(contractAccountId, decision.category);
    return outcomes.entered(operation, 'Category', { ...fields, id }, existing !== undefined);
  }

  private decideCategory(
    operation: Operation,
    category: CategoryItem,
    existing: Category | undefined,
  ): CategoryDecision {
    const refusal = refusedOnDemand(operation.directive);
    if (refusal) return { kind: 'refused', refusal };
    const parent = this.categories.find(operation.contractAccountId, category.parentReference);
    const above = existing && parent ? this.categories.path(parent.id) : [];
    const parentIsBelow = above.some(({ id }) => id === existing?.id);
    const { requiredOfCategory } = this.services.switches.behaviour;
    const newGuid = (): string => this.services.ids.newGuid();
    return decideCategory(category, { existing, parent, parentIsBelow }, newGuid, requiredOfCategory);
  }
}

/** Names a brand or category in a failure; null for a field without text. */
function named(item: Json): JsonObject {
  return { externalReference: textOrNull(item, 'externalReference'), name: textOrNull(item, 'name') };
}
