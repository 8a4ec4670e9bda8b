import { ContentDto } from './content.dto.ts';
import { fieldReason } from '../fields/field-reasons.ts';
import { fieldWords } from '../fields/field-texts.ts';
import { type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';
import { type ShapePlace, shapeErrors, shapeOf } from '../fields/record-shape.ts';

const CONTENT = shapeOf(ContentDto);

/** Location of a file's content (contract, "File commands"; rule 31): content is not transferred through Kafka. */
export type ContentReference =
  /** An upload to the file gateway. */
  | { readonly uploadId: string }
  | { readonly url: string }
  /** Path relative to the tenant's root. */
  | { readonly path: string };

/** Errors of a reference that is an object: checks each key, and that exactly one is given. */
export function contentErrors(value: JsonValue | undefined, language: Language, place: ShapePlace): FieldReason[] {
  if (!isPlainRecord(value)) return [];
  const errors = shapeErrors(value, CONTENT, language, place);
  if (errors.length > 0 || givenNames(value).length === 1) return errors;
  const names = givenNames(value);
  const expected = fieldWords(language).exactlyOne(Object.keys(CONTENT.table).join(', '));
  const params = { expected, ...(names.length > 0 && { given: names.join(', ') }) };
  const field = (place.prefix ?? '').replace(/\.$/, '');
  return [fieldReason('FIELD_TYPE', language, { field, skuExternalReference: place.skuExternalReference }, { params })];
}

/** Reference in a value that was checked; null if absent. */
export function contentReference(value: JsonValue | undefined): ContentReference | null {
  if (!isPlainRecord(value)) return null;
  const [name] = givenNames(value);
  return name === undefined ? null : ({ [name]: value[name] } as unknown as ContentReference);
}

function givenNames(value: Readonly<Record<string, JsonValue>>): string[] {
  return Object.keys(CONTENT.table).filter((name) => (value[name] ?? null) !== null);
}
