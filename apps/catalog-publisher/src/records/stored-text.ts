import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';

/** JSON text of stored state or progress, in the digits of the ERP's record. */
export function storedText(value: object): string {
  return stringifyWithDigits(value as JsonRecord);
}

/** Stored state from its JSON text; what an earlier version did not store is as in `initial`. */
export function stateFromText<S extends object>(text: string, initial: S): S {
  return { ...initial, ...objectFromText<S>(text) };
}

/** A stored object from its JSON text. Only this app writes it, so any other form, or a missing key, is a bug. */
export function objectFromText<T extends object>(text: string, ...keys: (keyof T & string)[]): T {
  return objectWith<T>(parseWithDigits(text), keys);
}

export function objectWith<T extends object>(value: unknown, keys: readonly (keyof T & string)[]): T {
  const object = isPlainRecord(value) ? value : null;
  if (object === null || keys.some((key) => object[key] === undefined)) {
    throw new Error('Stored state or progress has an unknown form');
  }
  return object as unknown as T;
}
