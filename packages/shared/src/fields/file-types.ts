import { integerTextOf } from '../json/digits.ts';
import type { JsonValue } from '../json/json-digits.ts';

/** Kinds of entity that files belong to (platform document, "Files": `fileType` values). */
export const FILE_TYPES = { SKU: 1, Category: 2, Badge: 3, Invoice: 4, Product: 5 } as const;

type FileTypeName = keyof typeof FILE_TYPES;
export type FileTypeCode = (typeof FILE_TYPES)[FileTypeName];

export const FILE_TYPE_NAMES = Object.keys(FILE_TYPES) as readonly FileTypeName[];

/** Number for routes, from a file command's name (in any case) or number; null for any other value. */
export function fileTypeCode(value: JsonValue | undefined): FileTypeCode | null {
  const text = typeof value === 'string' ? value.toLowerCase() : integerTextOf(value);
  const name = FILE_TYPE_NAMES.find((known) => known.toLowerCase() === text || String(FILE_TYPES[known]) === text);
  return name === undefined ? null : FILE_TYPES[name];
}
