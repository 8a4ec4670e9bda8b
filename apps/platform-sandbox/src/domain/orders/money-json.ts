import { centsText } from '../decimal.ts';
import { rawNumber, type Json } from '../exact-json.ts';

/** An amount of cents as the JSON number in currency units that the order payload carries: 1240 → 12.40. */
export function money(cents: number): Json {
  return rawNumber(centsText(cents));
}

/** A decimal text as the JSON number with the same digits. */
export function decimalOrNull(text: string | null): Json {
  return text === null ? null : rawNumber(text);
}
