import { invalid, type OrRefused } from '../values/refusal.ts';
import { isJsonArray, isJsonObject, keyOf, type Json, type JsonObject } from '../values/exact-json.ts';
import {
  flag,
  integer,
  text,
  textOrNull,
  violation,
  violations,
  withPresentKeys,
  type FieldRule,
} from './field-rules.ts';

export interface Category {
  /** GUID created by the core. */
  readonly id: string;
  readonly externalReference: string;
  /** Null at the root. */
  readonly parentId: string | null;
  /** The last given keys of the input table, under their input names, without parent and children. */
  readonly fields: JsonObject;
}

/**
 * Input table of a category (docs/platform.md, "Category"). The document does not show which fields are required.
 */
export const CATEGORY_FIELDS: readonly FieldRule[] = [
  text('externalReference', { required: true }),
  text('name', { required: true }),
  text('title'),
  text('description'),
  flag('isCategoryDepartmentToo'),
  flag('showInStoreFront'),
  flag('activeStoreFrontLink'),
  integer('position'),
];

const PARENT_FIELD = [text('parentExternalReference')];

/** Stored state for the decision about one category. */
export interface CategorySurroundings {
  readonly existing: Category | undefined;
  /** The category that the item names as its parent, or whose child it is. */
  readonly parent: Category | undefined;
  /** True if the parent is the category itself or one of its descendants. */
  readonly parentIsBelow: boolean;
}

export type CategoryDecision = OrRefused<{ readonly kind: 'stored'; readonly category: Category }>;

/** Decides one category. Like a brand it is replaced as a whole; without a parent it moves to the root. */
export function decideCategory(
  { item, parentReference }: CategoryItem,
  { existing, parent, parentIsBelow }: CategorySurroundings,
  newGuid: () => string,
  requiredKeys: readonly string[],
): CategoryDecision {
  const given = isJsonObject(item) ? item : {};
  const rules = CATEGORY_FIELDS.map((rule) => ({ ...rule, required: requiredKeys.includes(rule.key) }));
  const found = violations(rules, given, true);
  const children = keyOf(given, 'children');
  if (children !== undefined && children !== null && !isJsonArray(children)) {
    found.push(violation('Children', 'must be a list.'));
  }
  const parentProblems = violations(PARENT_FIELD, given, false);
  found.push(...parentProblems);
  if (parentProblems.length === 0 && parentReference !== undefined && parent === undefined) {
    found.push(violation('ParentExternalReference', 'names no category that exists.'));
  }
  if (parentIsBelow) found.push(violation('ParentExternalReference', 'names the category itself, or one below it.'));
  if (found.length > 0) return { kind: 'refused', refusal: invalid(found) };
  const externalReference = textOrNull(item, 'externalReference') ?? '';
  const fields = withPresentKeys(CATEGORY_FIELDS, {}, given);
  const category = { id: existing?.id ?? newGuid(), externalReference, parentId: parent?.id ?? null, fields };
  return { kind: 'stored', category };
}

export interface CategoryItem {
  readonly item: Json;
  /** Reference of the parent; undefined at the root, null below a category without a reference. */
  readonly parentReference: string | null | undefined;
}

/**
 * Categories of one entry of a batch, each parent before its children. Inside `children` the position in the tree
 * determines the parent; elsewhere `parentExternalReference` does (docs/platform.md, "Category").
 */
export function categoriesOf(root: Json): CategoryItem[] {
  const found: CategoryItem[] = [];
  const waiting: CategoryItem[] = [
    { item: root, parentReference: textOrNull(root, 'parentExternalReference') ?? undefined },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    const children = isJsonObject(next.item) ? keyOf(next.item, 'children') : undefined;
    if (!isJsonArray(children)) continue;
    const parentReference = textOrNull(next.item, 'externalReference');
    for (const child of children.toReversed()) waiting.push({ item: child, parentReference });
  }
  return found;
}
