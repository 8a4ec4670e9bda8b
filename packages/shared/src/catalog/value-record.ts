import { VALUE_FIELDS, ValueRecordDto } from './value-record.dto.ts';
import { fieldReason, given, listed } from '../fields/field-reasons.ts';
import { shapeErrors } from '../fields/record-shape.ts';
import { isPlainRecord, type JsonRecord } from '../json/json-digits.ts';
import type { Language } from '../outcomes/reason-codes.ts';
import { type CatalogRecord, readCatalogRecord } from './catalog-record.ts';
import { CONTROL_NAMES } from './whole-record.ts';

const VALUE = { dto: ValueRecordDto, table: VALUE_FIELDS, otherNames: CONTROL_NAMES };

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
