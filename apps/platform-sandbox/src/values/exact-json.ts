/**
 * JSON whose numbers retain their digits: 1.10 stays 1.10, and money in cents is written exactly, never through a
 * float.
 */

import { centsText } from './decimal.ts';

/** A number by its text, as `JSON.rawJSON` creates it and `JSON.stringify` writes it. */
export interface RawNumber {
  readonly rawJSON: string;
}

export type Json = null | boolean | string | number | RawNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// The compiler's library does not know these yet; Node 24 has them.
const exact = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: Reviver): Json;
};

/** The JSON number with exactly this text, for example `12.40`. */
export function rawNumber(text: string): RawNumber {
  return exact.rawJSON(text);
}

/** An amount of cents as the JSON number in currency units: 1240 → 12.40. */
export function money(cents: number): RawNumber {
  return rawNumber(centsText(cents));
}

/** Parses a JSON text; every number in it becomes a {@link RawNumber}. Throws `SyntaxError`. */
export function parseExact(text: string): Json {
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawNumber(source) : value,
  );
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !exact.isRawJSON(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Text of a JSON number; undefined for any other value (a number in quotes is text). */
export function numberText(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return exact.isRawJSON(value) && /^[-\d]/.test(value.rawJSON) ? value.rawJSON : undefined;
}

/** Value of a finite JSON number; undefined for any other value. */
export function numberOf(value: Json | undefined): number | undefined {
  const text = numberText(value);
  if (text === undefined) return undefined;
  const parsed = Number(text);
  return Number.isFinite(parsed) ? parsed : undefined;
}

/** Own key or undefined; a key such as `constructor` is never found on the prototype. */
export function keyOf(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
