import { type JsonRecord, type JsonValue, isPlainRecord, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { given } from '@gondola/shared/fields/field-reasons';
import { fieldOfProperty } from '@gondola/shared/catalog/name-translation';
import { type FieldReason, type Language, type ReasonCode, reasonText } from '@gondola/shared/outcomes/reason-codes';

/** Most bytes of the platform's errors in a result, which must fit a record. */
const MAX_ERRORS = 100;
const MAX_TEXT = 1_000;
const MAX_ERROR_TEXT = 50_000;

/** Owner of the errors: the names of its fields, and its place in the record. */
export interface ErrorPlace {
  /** The ERP's name of a rejected property. */
  readonly fieldOf: (property: string) => string;
  readonly skuExternalReference?: string;
  /** In front of the field: `children[0].`. */
  readonly prefix?: string;
}

export const PRODUCT_PLACE: ErrorPlace = { fieldOf: (property) => fieldOfProperty(property, 'product') };

export function skuPlace(skuExternalReference: string): ErrorPlace {
  return { fieldOf: (property) => fieldOfProperty(property, 'sku'), skuExternalReference };
}

/**
 * The platform's validation errors by the ERP's field names (docs/platform.md, "Error object"; rule 26): a rejected
 * property comes in Pascal case and without the product in front of it. Limits are checked before anything is sent,
 * so a rejected slug is one that is taken.
 *
 * @param posted what was rejected, for the value that a reason repeats
 */
export function platformErrors(
  error: JsonRecord | null,
  language: Language,
  place: ErrorPlace,
  posted: JsonRecord = {},
): FieldReason[] {
  const validations: JsonValue = error?.['validationErrors'] ?? [];
  if (!Array.isArray(validations)) return [];
  const { skuExternalReference, prefix = '' } = place;
  return validations
    .filter(isPlainRecord)
    .slice(0, MAX_ERRORS)
    .map((entry: JsonRecord) => {
      const field = place.fieldOf(shortened(entry['key']) ?? '');
      const code: ReasonCode = place === PRODUCT_PLACE && field === 'slug' ? 'SLUG_TAKEN' : 'PLATFORM_REFUSED';
      const said = shortened(entry['validation']);
      return {
        ...(skuExternalReference !== undefined && { skuExternalReference }),
        field: prefix + field,
        code,
        message: reasonText(code, language, { field, ...given(posted[field], language) }),
        ...(said !== undefined && { hint: said }),
      };
    });
}

/** An error object as a result carries it: whole, unless it is too large for one. */
export function shownError(error: JsonRecord | null): JsonValue {
  if (error === null || stringifyWithDigits(error).length <= MAX_ERROR_TEXT) return error;
  const entries = Object.entries(error).flatMap(([key, value]): [string, JsonValue][] => {
    if (typeof value === 'string') return [[key, value.slice(0, MAX_TEXT).toWellFormed()]];
    return typeof value === 'number' ? [[key, value]] : [];
  });
  return Object.fromEntries(entries);
}

function shortened(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT).toWellFormed() : undefined;
}
