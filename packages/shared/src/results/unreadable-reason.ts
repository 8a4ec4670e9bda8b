import { invalidUtf8 } from '../json/invalid-utf8.ts';
import { isDigits, isPlainRecord, type JsonValue, parseBytes } from '../json/json-digits.ts';
import { MAX_IDENTITY_LENGTH } from '../limits.ts';
import { TENANT_ID_PATTERN, type TenantOf } from '../topics/tenant-of.ts';
import { type Language, type ReasonCode, reasonText } from '../outcomes/reason-codes.ts';

/**
 * Sentences of dead letters: why no result can be sent. They appear in headers and logs, so they repeat nothing of
 * the record's content except field names and texts in the form of a tenant's id.
 */
export type Sentences = Readonly<Record<Language, string>>;

/** The sentence in the tenant's language if the tenant is known, else in both, Portuguese first. */
export function sentenceFor(sentences: Sentences, language: Language | undefined): string {
  return language === undefined ? `${sentences['pt-BR']} / ${sentences.en}` : sentences[language];
}

/** Sentence of a code, followed by the finding in brackets. */
export function sentencesOf(code: ReasonCode, found: string | Sentences): Sentences {
  const of = (language: Language) =>
    `${reasonText(code, language)} (${typeof found === 'string' ? found : found[language]})`;
  return { 'pt-BR': of('pt-BR'), en: of('en') };
}

/** Reason why a value is no JSON object. */
export function notAnObject(value: Uint8Array | null): Sentences {
  return sentencesOf('NOT_JSON', whatElse(value));
}

function whatElse(value: Uint8Array | null): Sentences {
  if (value === null) return { 'pt-BR': 'o registro não tem valor', en: 'the record has no value' };
  if (value.length === 0) return { 'pt-BR': 'o valor está vazio', en: 'the value is empty' };
  if (value[0] === 0) {
    return {
      'pt-BR':
        'o primeiro byte é 0, como nos registros de um serializador com registro de esquemas (schema registry); grave só o texto JSON, com o serializador comum',
      en: "the first byte is 0, as a schema registry's serialiser writes it; write only the JSON text, with a plain serialiser",
    };
  }
  const invalid = invalidUtf8(value);
  if (invalid !== null) {
    const byte = `0x${invalid.byte.toString(16).toUpperCase().padStart(2, '0')}`;
    return {
      'pt-BR': `o byte ${byte} na posição ${invalid.at}, contada de 0, não é UTF-8; grave o texto em UTF-8`,
      en: `the byte ${byte} at position ${invalid.at}, counted from 0, is not UTF-8; write the text in UTF-8`,
    };
  }
  const parsed = parseBytes(value);
  if (parsed === undefined) {
    return {
      'pt-BR': 'o texto é UTF-8, mas não é JSON, ou tem objetos demais um dentro do outro',
      en: 'the text is UTF-8 but no JSON, or has too many objects within each other',
    };
  }
  return { 'pt-BR': `é ${KINDS[kindOf(parsed)]['pt-BR']}`, en: `it is ${KINDS[kindOf(parsed)].en}` };
}

/** Reason why the tenant of a record cannot be determined. */
export function tenantUnknown({ why }: Extract<TenantOf, { ok: false }>, given?: JsonValue): Sentences {
  const name = typeof given === 'string' && TENANT_ID_PATTERN.test(given) ? ` "${given}"` : '';
  if (why === 'unknown') {
    return sentencesOf('TENANT_UNKNOWN', {
      'pt-BR': `nenhuma loja${name} está configurada`,
      en: `no tenant${name} is configured`,
    });
  }
  if (why === 'missing') {
    return sentencesOf('TENANT_UNKNOWN', {
      'pt-BR': 'falta dizer qual, no cabeçalho "ce_tenant" ou no campo "tenant"',
      en: 'it is missing in the header "ce_tenant" and in the field "tenant"',
    });
  }
  return sentencesOf('TENANT_UNKNOWN', {
    'pt-BR': 'o cabeçalho "ce_tenant" e o campo "tenant" dizem coisas diferentes',
    en: 'the header "ce_tenant" and the field "tenant" differ',
  });
}

/** Reason why a field that identifies the record is missing or invalid. */
export function identityUnreadable(field: string, value: JsonValue | undefined): Sentences {
  if (value === undefined || value === null || value === '') {
    return {
      'pt-BR': `Falta o campo "${field}", que identifica o registro.`,
      en: `The field "${field}", which identifies the record, is missing.`,
    };
  }
  const found = unusable(value);
  return {
    'pt-BR': `O campo "${field}", que identifica o registro, não serve: ${found['pt-BR']}.`,
    en: `The field "${field}", which identifies the record, cannot be used: ${found.en}.`,
  };
}

function unusable(value: JsonValue): Sentences {
  if (typeof value !== 'string') {
    const { 'pt-BR': pt, en } = KINDS[kindOf(value)];
    return { 'pt-BR': `é ${pt}, e deve ser um texto`, en: `it is ${en}, and has to be a text` };
  }
  if (value.length > MAX_IDENTITY_LENGTH) {
    return {
      'pt-BR': `tem ${value.length} caracteres, e o máximo é ${MAX_IDENTITY_LENGTH}`,
      en: `it has ${value.length} characters, and ${MAX_IDENTITY_LENGTH} are the most`,
    };
  }
  return {
    'pt-BR': 'tem um caractere que não pode ser gravado',
    en: 'it has a character that cannot be stored',
  };
}

const KINDS = {
  text: { 'pt-BR': 'um texto', en: 'a text' },
  number: { 'pt-BR': 'um número', en: 'a number' },
  boolean: { 'pt-BR': 'true ou false', en: 'true or false' },
  nothing: { 'pt-BR': 'null', en: 'null' },
  list: { 'pt-BR': 'uma lista', en: 'a list' },
  object: { 'pt-BR': 'um objeto', en: 'an object' },
} as const satisfies Readonly<Record<string, Sentences>>;

function kindOf(value: JsonValue): keyof typeof KINDS {
  if (value === null) return 'nothing';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'number' || isDigits(value) || !isPlainRecord(value) ? 'number' : 'object';
}
