import type { JsonValue } from '../json/json-digits.ts';

/** The plain object that a class says the fields of, and of what is inside it: no record is ever an instance. */
export type Plain<T> = [JsonValue] extends [T] ? T : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
