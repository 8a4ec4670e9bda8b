import { isJsonArray, type Json } from '../../domain/exact-json.ts';

/** One JSON text per item of a batch. What is no list has no items, and nothing comes of it. */
export function batchPayloads(body: Json): string[] {
  return (isJsonArray(body) ? body : []).map((item) => JSON.stringify(item));
}
