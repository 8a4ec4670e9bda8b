import { isIdentityText } from '../topics/identities.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { MAX_CATEGORIES } from '../limits.ts';

/** One category of a tree in a record. */
export interface CategoryNode {
  /** Null if unreadable. */
  readonly reference: string | null;
  /**
   * Reference of the parent node; null for the outermost category, undefined if the parent's reference is
   * unreadable.
   */
  readonly container: string | null | undefined;
  /** Path in the tree: empty for the outermost category, else `children[0].children[2].`. */
  readonly prefix: string;
  /** Fields without `children`. */
  readonly own: JsonRecord;
  /** `children` as received; undefined if absent. */
  readonly children: JsonValue | undefined;
}

/**
 * All categories of a tree, parents before their children (rule 24), at most `limit`. Entries that are no objects
 * are left out.
 */
export function categoryNodes(root: JsonRecord, limit = MAX_CATEGORIES): CategoryNode[] {
  const nodes: CategoryNode[] = [];
  const visit = (record: JsonRecord, container: string | null | undefined, prefix: string): void => {
    if (nodes.length >= limit) return;
    const { children, ...own } = record;
    const reference = isIdentityText(own['externalReference']) ? own['externalReference'] : null;
    nodes.push({ reference, container, prefix, own, children });
    for (const [index, child] of childrenOf(children).entries()) {
      if (nodes.length >= limit) return;
      if (isPlainRecord(child)) visit(child, reference ?? undefined, `${prefix}children[${index}].`);
    }
  };
  visit(root, null, '');
  return nodes;
}

/** The same tree with each category changed. Entries that are no objects stay unchanged. */
export function mapCategories(
  root: JsonRecord,
  change: (own: JsonRecord, place: { readonly isRoot: boolean }) => JsonRecord,
): JsonRecord {
  const map = (record: JsonRecord, isRoot: boolean): JsonRecord => {
    const { children, ...own } = record;
    const changed = change(own, { isRoot });
    if (!Array.isArray(children)) return children === undefined ? changed : { ...changed, children };
    const mapped = children.map((child: JsonValue) => (isPlainRecord(child) ? map(child, false) : child));
    return { ...changed, children: mapped };
  };
  return map(root, true);
}

/**
 * True if the chain of parents of a category leads back to it.
 *
 * @param parentOf the parent of a category; null at the root, undefined if unknown
 */
export function isInCycle(reference: string, parentOf: (reference: string) => string | null | undefined): boolean {
  const seen = new Set<string>();
  let parent = parentOf(reference);
  while (parent !== null && parent !== undefined && !seen.has(parent)) {
    if (parent === reference) return true;
    seen.add(parent);
    parent = parentOf(parent);
  }
  return false;
}

function childrenOf(children: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(children) ? children : [];
}
