import type { FieldSpec, FieldType } from '../schemas/field.decorators.ts';
import { isStorable } from '../json/storable-text.ts';
import { climbsPaths } from '../topics/identities.ts';
import type { JsonValue } from '../json/json-digits.ts';
import type { timeFault } from '../time.ts';
import type { Language } from '../outcomes/reason-codes.ts';
import { UNIT_NAMES } from '../units-and-money/units.ts';

/** Words for describing a field's limits, in the tenant's language. */
interface FieldWords {
  readonly expected: Readonly<Record<FieldType, string>>;
  readonly between: (min: number, max: number) => string;
  readonly atLeastLong: (min: number) => string;
  readonly atMostLong: (max: number) => string;
  readonly atLeast: (min: number) => string;
  readonly above: (limit: number) => string;
  readonly nearest: (name: string) => string;
  readonly topic: (name: string) => string;
  readonly units: (names: string) => string;
  readonly policies: (names: string) => string;
  readonly decimalPoint: string;
  readonly timeFaults: Readonly<Record<NonNullable<ReturnType<typeof timeFault>>, string>>;
  readonly atMostDigits: (max: string) => string;
  readonly atMostEntries: (max: string) => string;
  readonly storable: string;
  readonly noDotSegment: string;
  /** The received value, abbreviated. */
  readonly given: (value: string, characters: string) => string;
  /** A text without its middle. */
  readonly longText: (ends: string, characters: string) => string;
  readonly aList: (entries: string) => string;
  readonly anObject: string;
  readonly oneOf: (names: string) => string;
  readonly exactlyOne: (names: string) => string;
  readonly ofItsOwn: string;
  /** The limit for the quantity of a missing item. */
  readonly zero: string;
}

const PT: FieldWords = {
  expected: {
    text: 'um texto',
    identity: 'um texto de 1 a 512 caracteres',
    guid: 'um GUID',
    integer: 'um número inteiro',
    number: 'um número',
    decimal: 'um número decimal',
    boolean: 'true ou false',
    date: 'uma data no formato AAAA-MM-DD',
    time: 'uma data e hora ISO 8601 com fuso',
    unit: `uma unidade entre ${UNIT_NAMES.join(', ')}`,
    'order-number': 'um número inteiro de pedido',
    version: 'um número inteiro de até 18 dígitos',
    money: 'um valor em dinheiro, como número decimal',
    'access-key': 'uma chave de acesso de NF-e de 44 dígitos, com o dígito verificador certo',
    code: 'um texto não vazio ou um número inteiro',
    choice: 'um dos valores previstos',
    record: 'um objeto',
    'file-type': 'o nome ou o número de um tipo de arquivo',
    'text-list': 'uma lista com pelo menos um texto, nenhum vazio',
    list: 'uma lista de objetos',
    any: 'qualquer valor',
  },
  between: (min, max) => `ter entre ${min} e ${max} caracteres`,
  atLeastLong: (min) => `ter no mínimo ${min} caracteres`,
  atMostLong: (max) => `ter no máximo ${max} caracteres`,
  atLeast: (min) => `ser maior ou igual a ${min}`,
  above: (limit) => `ser maior que ${limit}`,
  nearest: (name) => `O nome conhecido mais próximo é "${name}".`,
  topic: (name) => `Preço e estoque não ficam no produto: use o tópico ${name}.`,
  units: (names) => `Unidades conhecidas: ${names}.`,
  policies: (names) => `Apelidos configurados: ${names}.`,
  decimalPoint: 'Use ponto, e não vírgula, como separador decimal.',
  timeFaults: {
    form: 'Escreva data e hora como 2026-11-20T14:05:00-03:00, sem nome de zona.',
    offset: 'Falta o fuso: termine com "Z" ou, por exemplo, "-03:00".',
    calendar: 'Esse dia, essa hora ou esse fuso não existe.',
  },
  atMostDigits: (max) => `ter no máximo ${max} dígitos`,
  atMostEntries: (max) => `ter no máximo ${max} itens`,
  storable: 'estar livre do caractere NUL e de meio caractere (metade de um par substituto)',
  noDotSegment: 'estar livre de "." e ".." sozinhos ou entre barras',
  given: (value, characters) => `Valor recebido: ${value} (${characters} caracteres).`,
  longText: (ends, characters) => `${ends} (${characters} caracteres)`,
  aList: (entries) => `uma lista de ${entries}`,
  anObject: 'um objeto',
  oneOf: (names) => `um destes valores: ${names}`,
  exactlyOne: (names) => `um objeto com exatamente um destes campos: ${names}`,
  ofItsOwn: 'diferente em cada imagem',
  zero: 'ser 0 quando o item falta',
};

const EN: FieldWords = {
  expected: {
    text: 'a text',
    identity: 'a text of 1 to 512 characters',
    guid: 'a GUID',
    integer: 'an integer',
    number: 'a number',
    decimal: 'a decimal number',
    boolean: 'true or false',
    date: 'a date of the form YYYY-MM-DD',
    time: 'an ISO 8601 date and time with an offset',
    unit: `one of the units ${UNIT_NAMES.join(', ')}`,
    'order-number': 'an integer order number',
    version: 'an integer of up to 18 digits',
    money: 'an amount as a decimal number',
    'access-key': 'an NF-e access key of 44 digits with the right check digit',
    code: 'a text that is not empty, or an integer',
    choice: 'one of the known words',
    record: 'an object',
    'file-type': 'the name or the number of a file type',
    'text-list': 'a list of at least one text, none of them empty',
    list: 'a list of objects',
    any: 'any value',
  },
  between: (min, max) => `have from ${min} to ${max} characters`,
  atLeastLong: (min) => `have at least ${min} characters`,
  atMostLong: (max) => `have at most ${max} characters`,
  atLeast: (min) => `be ${min} or more`,
  above: (limit) => `be more than ${limit}`,
  nearest: (name) => `The nearest known name is "${name}".`,
  topic: (name) => `Price and stock are no part of a product: use the topic ${name}.`,
  units: (names) => `Known units: ${names}.`,
  policies: (names) => `Configured aliases: ${names}.`,
  decimalPoint: 'Use a point, not a comma, before the decimals.',
  timeFaults: {
    form: 'Write date and time as 2026-11-20T14:05:00-03:00, without the name of a zone.',
    offset: 'The offset is missing: end with "Z" or, for example, "-03:00".',
    calendar: 'That day, hour or offset does not exist.',
  },
  atMostDigits: (max) => `have at most ${max} digits`,
  atMostEntries: (max) => `have at most ${max} entries`,
  storable: 'hold no character NUL and no half of a surrogate pair',
  noDotSegment: 'hold no "." or ".." alone or between slashes',
  given: (value, characters) => `Value given: ${value} (${characters} characters).`,
  longText: (ends, characters) => `${ends} (${characters} characters)`,
  aList: (entries) => `a list of ${entries}`,
  anObject: 'an object',
  oneOf: (names) => `one of: ${names}`,
  exactlyOne: (names) => `an object with exactly one of the fields ${names}`,
  ofItsOwn: 'different for each image',
  zero: 'be 0 when the item is missing',
};

const WORDS: Readonly<Record<Language, FieldWords>> = { 'pt-BR': PT, en: EN };

export function fieldWords(language: Language): FieldWords {
  return WORDS[language];
}

/** A count in the language's format: 59.900 in Portuguese, 59,900 in English. */
export function countText(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(count);
}

/** Describes the values of a field's type, for the sentence of `FIELD_TYPE`. */
export function expectedText(spec: FieldSpec, language: Language): string {
  const words = WORDS[language];
  return spec.choices === undefined ? words.expected[spec.type] : words.oneOf(spec.choices.join(', '));
}

/** Describes the limits of a field, for the sentence of `LIMIT`. */
export function limitText(spec: FieldSpec, language: Language, value?: JsonValue): string {
  const words = WORDS[language];
  if (typeof value === 'string' && !isStorable(value)) return words.storable;
  if (spec.inPath === true && typeof value === 'string' && climbsPaths(value)) return words.noDotSegment;
  const { minLength, maxLength, min, above, maxEntries } = spec;
  if (maxEntries !== undefined) return words.atMostEntries(countText(maxEntries, language));
  if (minLength !== undefined && maxLength !== undefined) return words.between(minLength, maxLength);
  if (minLength !== undefined) return words.atLeastLong(minLength);
  if (maxLength !== undefined) return words.atMostLong(maxLength);
  return above === undefined ? words.atLeast(min ?? 0) : words.above(above);
}
