import type { JsonRecord } from '../json/json-digits.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';
import { fieldReason } from './field-reasons.ts';
import { codesWithBlanks } from './identity-texts.ts';

/**
 * One warning for all codes of a record that had blanks around them (contract, "Values"); none without any.
 *
 * @param record the record as the ERP wrote it; null for a tombstone
 */
export function blanksWarning(record: JsonRecord | null, language: Language): FieldReason[] {
  const names = record === null ? [] : codesWithBlanks(record);
  return names.length === 0 ? [] : [fieldReason('BLANKS_REMOVED', language, { field: names.join(', ') })];
}
