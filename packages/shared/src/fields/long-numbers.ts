import { isNumberTooLong } from '../json/digits.ts';
import { reasonsFor, tooManyDigits } from './field-reasons.ts';
import { type JsonRecord, type JsonValue, isDigits, isPlainRecord } from '../json/json-digits.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';

/** A value and its path, from the innermost name to the outermost. */
interface Place {
  readonly name: string;
  readonly outer: Place | null;
}

/**
 * Numbers anywhere in a record that exceed the limits of a number (`limits`), including in unknown fields: they
 * would be compared, stored and posted digit by digit. A record with such a number is not checked further.
 */
export function longNumberErrors(record: JsonRecord, language: Language): FieldReason[] {
  const found: { readonly value: JsonValue; readonly place: Place }[] = [];
  const visit = (value: JsonValue, place: Place): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isDigits(value)) {
      if (isNumberTooLong(value)) found.push({ value, place });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item as JsonValue, { name: `[${index}]`, outer: place });
    } else if (isPlainRecord(value)) {
      for (const [name, item] of Object.entries(value)) visit(item, { name: `.${name}`, outer: place });
    }
  };
  for (const [name, value] of Object.entries(record)) visit(value, { name, outer: null });
  return reasonsFor(found, 0, ({ value, place }) => tooManyDigits(value, language, { field: pathOf(place) }));
}

function pathOf(place: Place): string {
  const names: string[] = [];
  for (let at: Place | null = place; at !== null; at = at.outer) names.push(at.name);
  return names.toReversed().join('');
}
