import type { Plain } from '../schemas/plain.ts';
import type { FieldReasonDto, ReasonDto } from './reason.dto.ts';
import { REASON_TEXTS_EN, REASON_TEXTS_PT } from './reason-texts.ts';

export type ReasonCode = keyof typeof REASON_TEXTS_PT;

export const REASON_CODES = Object.keys(REASON_TEXTS_PT) as readonly ReasonCode[];

export const LANGUAGES = ['pt-BR', 'en'] as const;

/** Languages that a tenant can choose; default pt-BR. */
export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = 'pt-BR';

/** Parameters of a reason's text. Never personal data: reasons appear in headers and logs. */
export type ReasonParams = Readonly<Record<string, string | number>>;

export type Reason = Plain<ReasonDto>;
export type FieldReason = Plain<FieldReasonDto>;

const TEXTS: Readonly<Record<Language, Readonly<Record<ReasonCode, string>>>> = {
  'pt-BR': REASON_TEXTS_PT,
  en: REASON_TEXTS_EN,
};

// `[before {name} after]`, or `{name}` alone.
const PARTS = /\[([^\]{]*)\{(\w+)\}([^\]]*)\]|\{(\w+)\}/g;

/**
 * Sentence of a code in the tenant's language; `{name}` is replaced by the parameter of that name, or by `?` if it
 * is missing. A part in square brackets is left out if its parameter is missing.
 */
export function reasonText(code: ReasonCode, language: Language, params: ReasonParams = {}): string {
  const valueOf = (name: string): string | null => (Object.hasOwn(params, name) ? String(params[name]) : null);
  return TEXTS[language][code].replaceAll(
    PARTS,
    (_part, before: string | undefined, inner: string, after: string, name: string) => {
      if (before === undefined) return valueOf(name) ?? '?';
      const value = valueOf(inner);
      return value === null ? '' : before + value + after;
    },
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
