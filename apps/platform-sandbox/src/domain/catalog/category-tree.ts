import { isJsonArray, isJsonObject, keyOf, type Json } from '../exact-json.ts';
import { textOrNull } from './field-rules.ts';

/** One category of a tree that was sent. */
export interface CategoryItem {
  readonly item: Json;
  /** Reference of the parent; undefined at the root, null below a category that has no reference. */
  readonly parentReference: string | null | undefined;
}

/**
 * The categories of one entry of a batch, each parent before its children. Inside `children` the position in the tree
 * says who the parent is; otherwise `parentExternalReference` does (docs/platform.md, "Category").
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
