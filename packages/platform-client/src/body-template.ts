import { isDigits, isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';

/** What stands for a placeholder such as `<SKU>`; undefined: there is none. */
export type TemplateValues = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Fills a body of the wire profile. A text that is just a placeholder becomes its value with the value's own type and
 * digits, and where there is none the key or list entry is left out; within a longer text a placeholder becomes text.
 * Nothing that is filled in is searched for placeholders again, so that no value can change the body's shape.
 *
 * @returns undefined when the whole template is a placeholder without value
 */
export function fillTemplate(template: JsonValue, values: TemplateValues): JsonValue | undefined {
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template)) {
    return template.map((item: JsonValue) => fillTemplate(item, values)).filter((item) => item !== undefined);
  }
  if (!isPlainRecord(template)) return template;
  const entries = Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function fillText(text: string, values: TemplateValues): JsonValue | undefined {
  if (Object.hasOwn(values, text)) return values[text];
  return text.replaceAll(/<[A-Z_]+>/g, (placeholder) =>
    Object.hasOwn(values, placeholder) ? asText(values[placeholder]) : placeholder,
  );
}

function asText(value: JsonValue | undefined): string {
  if (isDigits(value)) return value.rawJSON;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
