import type { CatalogOp } from '@gondola/shared/catalog/catalog-control.dto';
import { given } from '@gondola/shared/fields/field-reasons';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/outcomes/reason-codes';
import type { ReferenceProgress, StoredReference } from '../reference-state/stored-reference.ts';

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
export type WholeReference =
  | (Pick<ReferenceProgress, 'body' | 'sent' | 'route'> & { readonly kind: 'whole' })
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

export function invalidReference(
  code: 'COMMAND_UNKNOWN' | 'REFERENCE_MISSING',
  { field, value }: { readonly field: string; readonly value: string },
  language: Language,
): WholeReference {
  return { kind: 'invalid', errors: [{ field, code, message: reasonText(code, language, given(value, language)) }] };
}
