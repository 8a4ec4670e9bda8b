import { isDigits, type JsonValue, parseBytes, stringifyWithDigits } from '@gondola/shared/json/json-digits';

/**
 * Content that an answer may have, by the declarations of its fields: true for an open value, false for a personal
 * one, a list with the shape of its entries, or an object with those of its fields; `*` stands for all other names.
 */
export type AnswerShape = boolean | readonly [AnswerShape] | { readonly [field: string]: AnswerShape };

/**
 * An answer as who reveals nothing may have it: open values as they are, personal ones masked, and nothing that is not
 * declared. What is no JSON is left out as a whole.
 */
export function maskAnswer(body: Buffer, shape: AnswerShape): Buffer {
  const value = parseBytes(body);
  return Buffer.from(value === undefined ? '' : stringifyWithDigits(shown(value, shape)));
}

function shown(value: JsonValue, shape: AnswerShape): JsonValue {
  if (value === null || shape === false) return maskedValue(value);
  const isValue = typeof value !== 'object' || isDigits(value);
  if (shape === true) return isValue ? value : maskedValue(value);
  if (isValue) return maskedValue(value);
  if (isList(shape)) return isList(value) ? value.map((entry) => shown(entry, shape[0])) : maskedValue(value);
  if (isList(value)) return maskedValue(value);
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const declared = ownShape(shape, name) ?? ownShape(shape, '*');
    return declared === undefined ? [] : [[name, shown(field, declared)] as const];
  });
  return Object.fromEntries(fields);
}

function ownShape(shape: { readonly [field: string]: AnswerShape }, name: string): AnswerShape | undefined {
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/** First character of a text and three asterisks, for any length; three asterisks for any other value; null stays. */
function maskedValue(value: JsonValue): JsonValue {
  if (value === null) return null;
  if (typeof value !== 'string') return '***';
  const [first = ''] = value;
  return `${first}***`;
}

/** As `Array.isArray`, which narrows no read-only list. */
function isList<T>(value: T): value is Extract<T, readonly unknown[]> {
  return Array.isArray(value);
}
