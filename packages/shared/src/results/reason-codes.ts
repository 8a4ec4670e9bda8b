import { REASON_TEXTS_EN } from './reason-texts-en.ts';
import { REASON_TEXTS_PT } from './reason-texts-pt.ts';

/**
 * The closed list of codes that results, warnings, dead letters and the quarantine give as a reason. A code is never
 * renamed; what it says to people stands in `reason-texts-pt` and `reason-texts-en`.
 */
export const REASON_CODES = [
  // Orders
  'ORDER_UNKNOWN',
  'NOT_PAID',
  'STATUS_NOT_SETTABLE',
  'ORDER_CANCELLED',
  'PRICE_MISMATCH',
  'PRICE_UNKNOWN',
  'TOO_MANY_DECIMALS',
  'PDF_MISSING',
  'ALREADY_SENT',
  // Content
  'NOT_PDF',
  'NOT_IMAGE',
  'UPLOAD_UNKNOWN',
  'CONTENT_NOT_ALLOWED',
  'CONFIRM_REQUIRED',
  // Fields and values
  'FIELD_UNKNOWN',
  'FIELD_REQUIRED',
  'FIELD_TYPE',
  'FIELD_READ_ONLY',
  'DEFAULT_APPLIED',
  'LIMIT',
  'NOT_LISTED',
  'UNIT_UNKNOWN',
  'GTIN_INVALID',
  'NCM_INVALID',
  // Catalog
  'SKU_UNKNOWN',
  'SKU_AMBIGUOUS',
  'REFERENCE_MISSING',
  'REFERENCE_IMMUTABLE',
  'REFERENCE_AMBIGUOUS',
  'REFERENCE_IN_USE',
  'REFERENCE_CYCLE',
  'SLUG_TAKEN',
  'STALE_VERSION',
  // Records and commands
  'DUPLICATE_COMMAND',
  'COMMAND_UNKNOWN',
  'TENANT_UNKNOWN',
  'TENANT_MISMATCH',
  'ENTITY_UNKNOWN',
  'NOT_JSON',
  'IDENTITY_MISSING',
  'RECORD_TOO_LARGE',
  'BATCH_UNREADABLE',
  'RESULT_CUT',
  'BODY_TOO_LARGE',
  'PROCESSING_FAILED',
  // The platform
  'PLATFORM_REFUSED',
  'PLATFORM_SILENT',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

export const LANGUAGES = ['pt-BR', 'en'] as const;

/** The languages a tenant can choose from; pt-BR unless it says otherwise. */
export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = 'pt-BR';

/** What a reason's text is filled with. Never personal data: reasons stand in headers and logs. */
export type ReasonParams = Readonly<Record<string, string | number>>;

/** `reason` of a result (contract, "Results"). */
export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  readonly field?: string;
  readonly hint?: string;
}

/** An entry of `errors[]` or `warnings[]`, in the ERP's names. */
export interface FieldReason {
  readonly skuExternalReference?: string;
  readonly field: string;
  readonly code: ReasonCode;
  readonly message: string;
  readonly hint?: string;
}

const TEXTS: Readonly<Record<Language, Readonly<Record<ReasonCode, string>>>> = {
  'pt-BR': REASON_TEXTS_PT,
  en: REASON_TEXTS_EN,
};

/**
 * A code's sentence in the tenant's language; `{name}` is replaced by the parameter of that name, or by `?` where there
 * is none.
 */
export function reasonText(code: ReasonCode, language: Language, params: ReasonParams = {}): string {
  return TEXTS[language][code].replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : '?',
  );
}

/** A `reason` with its sentence. */
export function reasonOf(
  code: ReasonCode,
  language: Language,
  more: { readonly params?: ReasonParams; readonly field?: string; readonly hint?: string } = {},
): Reason {
  return {
    code,
    message: reasonText(code, language, more.params),
    ...(more.field !== undefined && { field: more.field }),
    ...(more.hint !== undefined && { hint: more.hint }),
  };
}
