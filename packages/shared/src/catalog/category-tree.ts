import { isIdentityText } from '../topics/identities.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { MAX_CATEGORIES } from '../limits.ts';

/** One category of a tree as it stands in a record. */
export interface CategoryNode {
  /** Null where it is no readable reference. */
  readonly reference: string | null;
  /** Reference of the node that it stands in; null for the outermost, undefined where that one's is not readable. */
  readonly container: string | null | undefined;
  /** Where it stands: empty for the outermost, else `children[0].children[2].`. */
  readonly prefix: string;
  /** Without `children`. */
  readonly own: JsonRecord;
  /** As it came; undefined where there is none. */
  readonly children: JsonValue | undefined;
}

/**
 * Every category of a tree that was given in `children`, parents before their children (rule 24), at most `limit` of
 * them. What is no object is left out.
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

/** The same tree with each category changed. Gives back what is no object as it is. */
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
 * Whether the way up from a category comes back to it.
 *
 * @param parentOf the parent of a category; null at the root, undefined where it is not known
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
