import type { JsonValue } from '../json/json-digits.ts';

/** The plain object with the fields of a class, including nested classes: records are never instances. */
export type Plain<T> = [JsonValue] extends [T] ? T : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
