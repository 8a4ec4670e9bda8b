import { canonicalText } from '@gondola/shared/files/content-hash';
import {
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  parseWithDigits,
  stringifyWithDigits,
} from '@gondola/shared/json/json-digits';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { referenceText, type Waiting, waitingFromText } from './awaiting.ts';

/**
 * Records of an entity that pass one which waits for a reference (rule 24):
 *
 *   waiting ──▶ a later one has all that it has ─────────────────▶ superseded, and the later one is next
 *      ├──────▶ a later one names another reference instead ─────▶ it goes with that, and the later one follows it
 *      └──────▶ a later one need not wait ───────────────────────▶ that goes first; once it ended, what it set is laid
 *                                                                  over the waiting one, which brings back no old value
 */
export interface Overtaken {
  /** The wait in the record's last `waiting` result; null for none. */
  readonly waiting: Waiting | null;
  /** Values that later records have set meanwhile; null for none. */
  readonly over: JsonRecord | null;
}

export function overtakenFromText(text: string | null): Overtaken {
  const value = text === null ? null : parseWithDigits(text);
  const over = isPlainRecord(value) ? value['over'] : undefined;
  return { waiting: waitingFromText(text), over: isPlainRecord(over) ? over : null };
}

export function overtakenToText({ waiting, over }: Overtaken, blocked?: string): string {
  return stringifyWithDigits({
    ...(waiting !== null && { waiting: waiting as unknown as JsonRecord }),
    ...(over !== null && { over }),
    ...(blocked !== undefined && { blocked }),
  });
}

/** True if a later content has each key that an earlier one has, in each SKU, too. */
export function hasAllOf(later: JsonRecord, earlier: JsonRecord): boolean {
  return Object.entries(earlier).every(([key, value]) => {
    if (!Object.hasOwn(later, key)) return false;
    if (key === 'children') return canonicalText(value) === canonicalText(later[key]!);
    if (key !== 'skus') return true;
    const own = skusOf(later[key]);
    return (
      Array.isArray(value) && [...skusOf(value)].every(([reference, sku]) => hasAllOf(own.get(reference) ?? {}, sku))
    );
  });
}

/** A content with the values that a later one has set: all of the entity's own, and of SKUs those of its own SKUs. */
export function laidOver(earlier: JsonRecord, later: JsonRecord): JsonRecord {
  const { skus, children: _, ...own } = later;
  const newer = skusOf(skus);
  const wanted = earlier['skus'];
  if (!Array.isArray(wanted) || newer.size === 0) return { ...earlier, ...own };
  const laid = wanted.map((sku: JsonValue) => (isPlainRecord(sku) ? { ...sku, ...newer.get(referenceIn(sku)) } : sku));
  return { ...earlier, ...own, skus: laid };
}

/** The values that two later contents set together, the second after the first. */
export function bothOver(first: JsonRecord | null, second: JsonRecord): JsonRecord {
  if (first === null) return second;
  const added = [...skusOf(second['skus'])].filter(([reference]) => !skusOf(first['skus']).has(reference));
  const laid = laidOver(first, second);
  const skus = [...(Array.isArray(laid['skus']) ? laid['skus'] : []), ...added.map(([, sku]) => sku)];
  return skus.length === 0 ? laid : { ...laid, skus };
}

/** References for which any of these records waits, each once. */
export function awaitedBy(progress: readonly (string | null)[]): AwaitedReference[] {
  const all = progress.flatMap((text) => waitingFromText(text)?.for ?? []);
  return [...new Map(all.map((each) => [referenceText(each), each])).values()];
}

function skusOf(value: JsonValue | undefined): Map<string, JsonRecord> {
  const skus = Array.isArray(value) ? value.filter((sku: JsonValue) => isPlainRecord(sku)) : [];
  return new Map(skus.map((sku: JsonRecord) => [referenceIn(sku), sku]));
}

function referenceIn({ externalReference }: JsonRecord): string {
  return typeof externalReference === 'string' ? externalReference : '';
}
