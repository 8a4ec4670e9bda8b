import { readValueRecord } from '@gondola/shared/catalog/value-record';
import { canonicalText } from '@gondola/shared/files/content-hash';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type Conclusion, invalid, invalidWhole } from '@gondola/shared/results/conclusion';
import { type Language, reasonOf } from '@gondola/shared/outcomes/reason-codes';
import { contentOf, isStale } from '../records/read-record.ts';
import { contradictionErrors, filledValue, type ValueFilling } from './fill-value.ts';
import type { ValueLaneState } from './value-lane-state.ts';

/** A price, warehouse or stock that may be sent. */
export interface ReadyValue {
  readonly kind: 'ready';
  readonly body: JsonRecord;
  readonly force: boolean;
  readonly sourceVersion: string | null;
}

/** A price, warehouse or stock before its first attempt. */
export type PreparedValue =
  | ReadyValue
  | { readonly kind: 'invalid'; readonly conclusion: Conclusion; readonly sourceVersion: string | null };

/**
 * Checks a record (rules 20, 28, 30), except the content of `data`, whose fields the document does not show, and
 * fills its body by the wire profile.
 *
 * @param latest the highest `sourceVersion` received before it
 */
export function prepareValue(
  record: { readonly value: Uint8Array | null; readonly externalReference: string },
  latest: string | null,
  language: Language,
  filling: ValueFilling,
): PreparedValue {
  const content = contentOf(record);
  const { data, force, sourceVersion: version, errors: found } = readValueRecord(content, language);
  const sourceVersion = version === null ? null : String(version);
  const errors = found.length > 0 ? found : contradictionErrors(content, filling, language);
  if (errors.length > 0) return { kind: 'invalid', conclusion: invalid(errors), sourceVersion };
  if (isStale(version, latest)) {
    const params = { given: sourceVersion ?? '', latest: latest ?? '' };
    const conclusion = invalidWhole(reasonOf('STALE_VERSION', language, { field: 'sourceVersion', params }));
    return { kind: 'invalid', conclusion, sourceVersion: null };
  }
  return { kind: 'ready', body: filledValue(content, data, filling), force, sourceVersion };
}

/** True if the platform has exactly this value (rule 28); whole, since the document promises no partial update. */
export function isApplied({ applied }: Pick<ValueLaneState, 'applied'>, body: JsonRecord): boolean {
  return applied !== null && canonicalText(applied) === canonicalText(body);
}
