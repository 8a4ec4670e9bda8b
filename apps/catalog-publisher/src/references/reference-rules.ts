import { prepareBrand } from '@gondola/shared/catalog/brand-record';
import { prepareCategory } from '@gondola/shared/catalog/category-record';
import { categoryNodes } from '@gondola/shared/catalog/category-tree';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import type { CatalogOp } from '@gondola/shared/catalog/catalog-control.dto';
import { fieldReason, given, listed } from '@gondola/shared/fields/field-reasons';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/outcomes/reason-codes';
import type { ReferenceProgress, StoredReference } from './stored-reference.ts';

/** Stored state that a brand or category record is prepared with. */
export interface ReferenceSurroundings {
  /** State of the brand, or of the categories of the record's tree. */
  readonly stored: ReadonlyMap<string, StoredReference>;
  /** Parent of every category on the way up that is known or being sent; null at the root. */
  readonly parents: ReadonlyMap<string, string | null>;
  readonly sourceVersion: string | null;
  /** True if a product refers to the brand. */
  readonly inUse: boolean;
  readonly allowedExtraKeys: readonly string[];
  readonly language: Language;
}

/** The whole brand or category that a record asks for, or its errors. */
type WholeReference =
  | (Pick<ReferenceProgress, 'body' | 'sent' | 'route' | 'warnings'> & { readonly kind: 'whole' })
  | { readonly kind: 'invalid'; readonly errors: readonly FieldReason[] };

/** Rules that differ between brands and categories. */
export interface ReferenceRules {
  /** True for kinds that form trees. */
  readonly isTree: boolean;
  /** True for kinds that can be removed unless something refers to them. */
  readonly isRemovable: boolean;
  /** References that the record reads or changes, its own first. */
  mentioned(content: JsonRecord, externalReference: string): string[];
  whole(
    record: { readonly externalReference: string; readonly op: CatalogOp; readonly content: JsonRecord },
    around: ReferenceSurroundings,
  ): WholeReference;
}

function invalidReference(
  code: 'COMMAND_UNKNOWN' | 'REFERENCE_MISSING',
  { field, value }: { readonly field: string; readonly value: string },
  language: Language,
): WholeReference {
  return { kind: 'invalid', errors: [{ field, code, message: reasonText(code, language, given(value, language)) }] };
}

const BRAND: ReferenceRules = {
  isTree: false,
  isRemovable: true,
  mentioned: (_content, externalReference) => [externalReference],
  whole: ({ externalReference, op, content }, { stored, language, allowedExtraKeys }) => {
    if (op === 'delete') {
      const sent = [{ externalReference, parent: null, record: {} }];
      return { kind: 'whole', route: 'delete', body: { externalReference }, sent };
    }
    // A brand cannot be hidden.
    if (op !== 'upsert') return invalidReference('COMMAND_UNKNOWN', { field: 'op', value: op }, language);
    const known = stored.get(externalReference)?.record ?? null;
    const { body, errors } = prepareBrand(content, known, { language, allowedExtraKeys });
    if (errors.length > 0) return { kind: 'invalid', errors };
    return { kind: 'whole', route: 'post', body, sent: [{ externalReference, parent: null, record: body }] };
  },
};

/** Value of `showInStoreFront` for each `op` (rule 29): a category is hidden, never deleted. */
export const SHOWN: Readonly<Partial<Record<CatalogOp, boolean>>> = {
  activate: true,
  deactivate: false,
  delete: false,
};

const CATEGORY: ReferenceRules = {
  isTree: true,
  isRemovable: false,
  /** The categories of the record's tree and its parent. */
  mentioned: (content, externalReference) => {
    const parent = content['parentExternalReference'];
    const references = categoryNodes(content).flatMap(({ reference }) => (reference === null ? [] : [reference]));
    return [externalReference, ...references, ...(typeof parent === 'string' ? [parent] : [])];
  },
  whole: ({ externalReference, op, content }, { stored, parents, language, allowedExtraKeys }) => {
    const shown = SHOWN[op];
    const isKnown = (stored.get(externalReference)?.record ?? null) !== null;
    // A category is sent whole: without its stored state, its name and place would be lost.
    if (shown !== undefined && !isKnown && content['name'] === undefined) {
      return invalidReference('REFERENCE_MISSING', { field: 'externalReference', value: externalReference }, language);
    }
    const wanted = shown === undefined ? content : { ...content, showInStoreFront: shown };
    const known = new Map(
      [...stored].flatMap(([reference, { record }]) => (record === null ? [] : [[reference, record]])),
    );
    const { body, nodes, errors } = prepareCategory(wanted, { language, allowedExtraKeys, known, parents });
    if (errors.length > 0) return { kind: 'invalid', errors };
    return { kind: 'whole', route: 'post', body, sent: nodes, warnings: hiddenWarnings(wanted, known, language) };
  },
};

/** Categories of a record that are off the menu and of which it does not say whether they stay there (rule 29). */
function hiddenWarnings(
  content: JsonRecord,
  known: ReadonlyMap<string, JsonRecord>,
  language: Language,
): readonly FieldReason[] {
  const warnings = categoryNodes(content).flatMap(({ prefix, reference, own }) => {
    const isHidden = reference !== null && known.get(reference)?.['showInStoreFront'] === false;
    if (!isHidden || Object.hasOwn(own, 'showInStoreFront')) return [];
    return [fieldReason('STAYS_HIDDEN', language, { field: `${prefix}showInStoreFront` })];
  });
  return listed(warnings, language);
}

export const REFERENCE_RULES: Readonly<Record<ReferenceKind, ReferenceRules>> = { brand: BRAND, category: CATEGORY };
