import { blanksWarning } from '@gondola/shared/fields/blanks-warning';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { type Language, reasonOf } from '@gondola/shared/outcomes/reason-codes';
import { invalidWhole } from '@gondola/shared/results/conclusion';
import { judgedBy, type JudgedRecord, NOTHING } from './judged-record.ts';
import type { ReadableRecord } from './readable-record.ts';

/**
 * Predicts the outcome of a record. What it knows is from then on the state that the record leaves: it is concluded,
 * and what it waits for has come.
 */
export type Judge = (record: ReadableRecord) => JudgedRecord;

/**
 * Predicts the outcome of records one after the other, each by the state that those before it leave (rules 19, 20, 24,
 * 28, 29, 30).
 *
 * @param hashes content hashes of the records that came, by id
 */
export function judgeRecords(
  records: readonly (ReadableRecord | JudgedRecord)[],
  judge: Judge,
  hashes: ReadonlyMap<string, string>,
  language: Language,
): JudgedRecord[] {
  const seen = new Map(hashes);
  return records.map((record) => {
    if (!('value' in record)) return record;
    const { recordId, contentHash, value } = record;
    const before = recordId === null ? undefined : seen.get(recordId);
    if (before === contentHash) return { ...NOTHING, outcome: 'repeated' };
    if (recordId !== null && before !== undefined) return judgedBy(reused(recordId, language));
    if (recordId !== null) seen.set(recordId, contentHash);
    const judged = judge(record);
    return { ...judged, warnings: [...blanksWarning(parseRecord(value), language), ...judged.warnings] };
  });
}

/** Another record came under this id (rule 19). */
function reused(given: string, language: Language) {
  return invalidWhole(reasonOf('DUPLICATE_COMMAND', language, { params: { given } }));
}
