import { type JsonValue, isPlainRecord, stringifyWithDigits } from '../json/json-digits.ts';
import { MAX_VALUE_BYTES } from '../limits.ts';
import { type FieldReason, LANGUAGES, reasonText } from '../outcomes/reason-codes.ts';
import type { Result, SkuOutcome } from './result.ts';

/** One way to make a result smaller: the field that is cut, and its new value. */
interface Cut {
  readonly field: string;
  readonly apply: (result: Result) => Partial<Result>;
}

/**
 * Mild cuts first. The fields that show how a command ended are never cut: outcome, code and sentence of the
 * reason, ids, counts.
 */
const CUTS: readonly Cut[] = [
  { field: 'platform', apply: ({ platform }) => ({ platform: shortened(platform) }) },
  { field: 'data', apply: () => ({ data: null }) },
  {
    field: 'skus.errors',
    apply: ({ skus }) => withSkus(skus?.map((sku) => ({ ...sku, errors: sku.errors.slice(0, 3) }))),
  },
  { field: 'errors', apply: ({ errors }) => ({ errors: errors.slice(0, 20).map(bounded) }) },
  { field: 'warnings', apply: ({ warnings }) => ({ warnings: warnings.slice(0, 20).map(bounded) }) },
  { field: 'skus.errors', apply: ({ skus }) => withSkus(skus?.map((sku) => ({ ...sku, errors: [] }))) },
  { field: 'platform', apply: () => ({ platform: null }) },
  { field: 'skus', apply: ({ skus }) => withSkus(skus?.slice(0, MOST_SKUS)) },
  { field: 'operationIds', apply: ({ operationIds }) => ({ operationIds: operationIds.slice(0, 20).map(shortText) }) },
  { field: 'for', apply: ({ for: awaited }) => (awaited === undefined ? {} : { for: awaited.slice(0, 100) }) },
  { field: 'reason', apply: ({ reason }) => ({ reason: reason === null ? null : bounded(reason) }) },
];

/** This many always fit: a reference has at most 512 characters, each at most six bytes in JSON. */
const MOST_SKUS = 200;
const MOST_CHARACTERS = 500;

/**
 * A result that its topic accepts, with at most `maxBytes` of UTF-8 JSON: the result itself if it fits, else a
 * shortened one with the warning `RESULT_CUT`, whose `field` names the shortened or omitted fields. Otherwise the
 * broker would refuse the record, and the ERP would never receive the outcome.
 */
export function fitResult(result: Result, maxBytes = MAX_VALUE_BYTES): Result {
  const sizes = new Map(Object.entries(result).map(([name, value]) => [name, sizeOf(name, value)]));
  const fits = () => [...sizes.values()].reduce((sum, size) => sum + size, 2) <= maxBytes;
  if (fits()) return result;
  let fitting = result;
  const cut = new Set<string>();
  for (const { field, apply } of CUTS) {
    if (fits()) break;
    const changed = Object.entries(apply(fitting)) as [string, JsonValue][];
    const smaller = changed.filter(([name, value]) => sizeOf(name, value) < (sizes.get(name) ?? 0));
    if (smaller.length === 0) continue;
    cut.add(field);
    fitting = { ...fitting, ...Object.fromEntries(smaller) };
    for (const [name, value] of smaller) sizes.set(name, sizeOf(name, value));
    sizes.set('cut', sizeOf('', [cutWarning([...cut])]));
  }
  return { ...fitting, warnings: [...fitting.warnings, cutWarning([...cut])] };
}

/** In all languages, since the writer of records does not know the tenant's language. */
function cutWarning(fields: readonly string[]): FieldReason {
  const field = fields.join(', ');
  const message = LANGUAGES.map((language) => reasonText('RESULT_CUT', language, { field })).join(' / ');
  return { field, code: 'RESULT_CUT', message };
}

function withSkus(skus: readonly SkuOutcome[] | undefined): Partial<Result> {
  return skus === undefined ? {} : { skus };
}

/** An object's own texts, numbers and flags, each shortened; everything else is left out. */
function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string') return shortText(value);
  if (!isPlainRecord(value)) return null;
  const entries = Object.entries(value)
    .filter(([, item]) => typeof item !== 'object' || item === null)
    .slice(0, 50)
    .map(([key, item]): [string, JsonValue] => [shortText(key), typeof item === 'string' ? shortText(item) : item]);
  return Object.fromEntries(entries);
}

function bounded<T extends { readonly message: string; readonly field?: string; readonly hint?: string }>(
  reason: T,
): T {
  const { field, hint } = reason;
  return {
    ...reason,
    message: shortText(reason.message),
    ...(field !== undefined && { field: shortText(field) }),
    ...(hint !== undefined && { hint: shortText(hint) }),
  };
}

function shortText(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}

/** Size of `"name":value,` in bytes. */
function sizeOf(name: string, value: JsonValue): number {
  return Buffer.byteLength(stringifyWithDigits(value)) + name.length + 4;
}
