import { CATEGORY_FIELDS } from './category-record.dto.ts';
import { type CategoryNode, categoryNodes, isInCycle, mapCategories } from './category-tree.ts';
import { CategoryRecordDto } from './category-record.dto.ts';
import { fieldReason, given, listed } from '../fields/field-reasons.ts';
import { countText, fieldWords } from '../fields/field-texts.ts';
import { isIdentityText } from '../topics/identities.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import { MAX_CATEGORIES } from '../limits.ts';
import type { FieldReason, Language, ReasonCode } from '../outcomes/reason-codes.ts';
import { shapeErrors } from '../fields/record-shape.ts';
import { CONTROL_NAMES, type WholeRecordRules, wholeRecord, withNumbers } from './whole-record.ts';

const OUTERMOST = { dto: CategoryRecordDto, table: CATEGORY_FIELDS, otherNames: CONTROL_NAMES };
const INNER = { dto: CategoryRecordDto, table: CATEGORY_FIELDS };

export interface CategoryContext extends WholeRecordRules {
  /** Categories of the record that were posted before, each whole and without `children`. */
  readonly known: ReadonlyMap<string, JsonRecord>;
  /** Parent of every category that is known or being sent; null at the root. */
  readonly parents: ReadonlyMap<string, string | null>;
}

/** One category of a record, as it is stored once the record is applied. */
export interface PreparedCategoryNode {
  readonly externalReference: string;
  /** Null at the root. */
  readonly parent: string | null;
  /**
   * The whole category with its parent and without `children`. A later change is laid over it, so the stored parent
   * is always sent with the change (rule 24).
   */
  readonly record: JsonRecord;
}

export interface PreparedCategory {
  /** The whole category to post, with the ERP's tree in `children`; must not be sent if there are errors. */
  readonly body: JsonRecord;
  /** Parents before their children, the outermost first. Complete only if there are no errors. */
  readonly nodes: readonly PreparedCategoryNode[];
  /** Errors in the ERP's names; fields of inner categories with their path, `children[0].name`. */
  readonly errors: readonly FieldReason[];
}

/**
 * Turns the content of a category record (`readCatalogRecord`) into the body to post: each category of its tree is
 * laid over the last known one and checked (rules 20, 21). Errors are a reference that occurs twice, a parent that
 * contradicts the position in the tree, and a cycle, including one through known parents (rule 24). The caller
 * checks that the parent of the outermost category is known.
 */
export function prepareCategory(content: JsonRecord, context: CategoryContext): PreparedCategory {
  const nodes = categoryNodes(content, MAX_CATEGORIES + 1);
  if (nodes.length > MAX_CATEGORIES) return tooManyCategories(content, context.language);
  const whole = (own: JsonRecord) => wholeRecord(knownOf(own, context), own);
  let found = 0;
  const errors = nodes.flatMap(({ prefix, own, children }) => {
    const record = children === undefined ? whole(own) : { ...whole(own), children };
    const shape = prefix === '' ? OUTERMOST : INNER;
    const ofNode = shapeErrors(record, shape, context.language, { prefix, found }, { mode: 'create', ...context });
    found += ofNode.length;
    return ofNode;
  });
  const prepared = nodes.flatMap((node) => preparedNode(node, withNumbers(whole(node.own), CATEGORY_FIELDS)));
  const all = [...errors, ...treeErrors(nodes, prepared, context)];
  if (all.length > 0) return { body: content, nodes: prepared, errors: listed(all, context.language) };
  const body = mapCategories(content, (own, { isRoot }) => {
    const { parentExternalReference: parent, ...rest } = withNumbers(whole(own), CATEGORY_FIELDS);
    // Inside a tree the position defines the parent; a stored parent may be the one from which the category is
    // moved.
    return isRoot && parent !== undefined ? { ...rest, parentExternalReference: parent } : rest;
  });
  return { body, nodes: prepared, errors: [] };
}

function tooManyCategories(content: JsonRecord, language: Language): PreparedCategory {
  const params = { limit: fieldWords(language).atMostEntries(countText(MAX_CATEGORIES, language)) };
  return { body: content, nodes: [], errors: [fieldReason('LIMIT', language, { field: 'children' }, { params })] };
}

function preparedNode({ reference, container }: CategoryNode, whole: JsonRecord): PreparedCategoryNode[] {
  if (reference === null) return [];
  const stored = whole['parentExternalReference'];
  const parent = container ?? (isIdentityText(stored) ? stored : null);
  return [{ externalReference: reference, parent, record: { ...whole, parentExternalReference: parent } }];
}

function treeErrors(
  nodes: readonly CategoryNode[],
  prepared: readonly PreparedCategoryNode[],
  { language, parents }: CategoryContext,
): FieldReason[] {
  const reason = (code: ReasonCode, { prefix, own }: CategoryNode, field: string) =>
    fieldReason(
      code,
      language,
      { field: prefix + field },
      { params: given(own[field] ?? own['externalReference'], language) },
    );
  const own = new Map(prepared.map(({ externalReference, parent }) => [externalReference, parent]));
  const parentOf = (reference: string) => (own.has(reference) ? own.get(reference) : parents.get(reference));
  const seen = new Set<string>();
  return nodes.flatMap((node) => {
    const { reference, container } = node;
    if (reference === null) return [];
    const isTwice = seen.has(reference);
    seen.add(reference);
    if (isTwice) return [reason('REFERENCE_AMBIGUOUS', node, 'externalReference')];
    const given = node.own['parentExternalReference'] ?? null;
    if (typeof container === 'string' && given !== null && given !== container) {
      return [reason('REFERENCE_AMBIGUOUS', node, 'parentExternalReference')];
    }
    return isInCycle(reference, parentOf) ? [reason('REFERENCE_CYCLE', node, 'parentExternalReference')] : [];
  });
}

function knownOf({ externalReference }: JsonRecord, { known }: CategoryContext): JsonRecord | null {
  return typeof externalReference === 'string' ? (known.get(externalReference) ?? null) : null;
}
