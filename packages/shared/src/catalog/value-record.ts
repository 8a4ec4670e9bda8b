import { VALUE_FIELDS, ValueRecordDto } from './value-record.dto.ts';
import { fieldReason, given, listed } from '../fields/field-reasons.ts';
import { shapeErrors } from '../fields/record-shape.ts';
import { isPlainRecord, type JsonRecord } from '../json/json-digits.ts';
import type { Language } from '../outcomes/reason-codes.ts';
import { isIdentityText } from '../topics/identities.ts';
import { type CatalogRecord, readCatalogRecord } from './catalog-record.ts';
import { CONTROL_NAMES } from './whole-record.ts';

const VALUE = { dto: ValueRecordDto, table: VALUE_FIELDS, otherNames: CONTROL_NAMES };

/** Place of a price or stock: a SKU with a warehouse or a policy; for a warehouse its own reference alone. */
export interface ValuePlace {
  readonly externalReference: string;
  readonly warehouse?: string;
  readonly policy?: string;
}

/** A price, warehouse or stock record, divided into its control keys and its data. */
export interface ValueRecord extends Pick<CatalogRecord, 'sourceVersion' | 'force' | 'errors'> {
  /** Data to post, without the fields of the wire profile; empty if there are errors. */
  readonly data: JsonRecord;
}

/**
 * Reads a price, a warehouse or a stock (rule 30): checks its own keys and passes on those inside `data`. These
 * records are absolute values, so every `op` except `upsert` is `COMMAND_UNKNOWN`.
 */
export function readValueRecord(record: JsonRecord, language: Language): ValueRecord {
  const { op, sourceVersion, force, content, errors } = readCatalogRecord(record, language);
  const found =
    errors.length === 0 && op !== 'upsert'
      ? [fieldReason('COMMAND_UNKNOWN', language, { field: 'op' }, { params: given(op, language) })]
      : errors;
  const shape = found.length > 0 ? [] : shapeErrors(content, VALUE, language, {}, { mode: 'create' });
  const { data } = content;
  return {
    sourceVersion,
    force,
    data: isPlainRecord(data) ? data : {},
    errors: listed([...found, ...shape], language),
  };
}

/** Place that a record names; unusable texts are left out here, and reported by `readValueRecord`. */
export function valuePlace(record: JsonRecord, externalReference: string): ValuePlace {
  const { warehouse, policy } = record;
  return {
    externalReference,
    ...(isIdentityText(warehouse) && { warehouse }),
    ...(isIdentityText(policy) && { policy }),
  };
}

/** Unique text for each place; `placeFromText` is the inverse. */
export function placeText({ externalReference, warehouse, policy }: ValuePlace): string {
  const parts = [
    encodeURIComponent(externalReference),
    ...(warehouse === undefined ? [] : [`warehouse=${encodeURIComponent(warehouse)}`]),
    ...(policy === undefined ? [] : [`policy=${encodeURIComponent(policy)}`]),
  ];
  return parts.join('/');
}

/** @param text as made by `placeText` */
export function placeFromText(text: string): ValuePlace {
  const [reference = '', ...rest] = text.split('/');
  const named = rest
    .map((part) => part.split('=', 2))
    .map(([key = '', value = '']) => [key, decodeURIComponent(value)]);
  return { externalReference: decodeURIComponent(reference), ...(Object.fromEntries(named) as Partial<ValuePlace>) };
}
