import type { CatalogOp } from '@gondola/shared/dto/catalog-control.dto';
import { given } from '@gondola/shared/fields/field-reasons';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/results/reason-codes';
import type { ReferenceProgress, StoredReference } from '../reference-state/stored-reference.ts';

/** What is known around a brand or category. */
export interface ReferenceSurroundings {
  /** The brand, or the categories of the record's tree, as they are known. */
  readonly stored: ReadonlyMap<string, StoredReference>;
  /** Parent of every category on the way up that is known or on its way; null at the root. */
  readonly parents: ReadonlyMap<string, string | null>;
  readonly sourceVersion: string | null;
  /** Products name the brand. */
  readonly inUse: boolean;
  readonly allowedExtraKeys: readonly string[];
  readonly language: Language;
}

/** What a record asks for, whole. */
export type WholeReference =
  | (Pick<ReferenceProgress, 'body' | 'sent' | 'route'> & { readonly kind: 'whole' })
  | { readonly kind: 'invalid'; readonly errors: readonly FieldReason[] };

/** In what brands and categories differ. */
export interface ReferenceRules {
  /** They form trees, so that known parents count. */
  readonly isTree: boolean;
  /** They can be removed, so that what refers to them counts. */
  readonly isRemovable: boolean;
  /** References that a record has to do with, its own first. */
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
