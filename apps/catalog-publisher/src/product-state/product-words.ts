import { storable } from '@gondola/shared/json/storable-text';
import type { JsonRecord } from '@gondola/shared/json/json-digits';

/** Words by which operators find a product. */
export interface ProductWords {
  readonly name: string | null;
  readonly words: string;
}

const MAX_WORDS_LENGTH = 10_000;

/** Name, title, EANs and references of the SKUs of a product. */
export function productWords(product: JsonRecord, skus: readonly JsonRecord[]): ProductWords {
  const [name = null] = textsOf(product, 'name', 'title');
  const all = [
    ...textsOf(product, 'name', 'title', 'ean'),
    ...skus.flatMap((sku) => textsOf(sku, 'externalReference', 'name', 'ean')),
  ];
  return { name, words: [...new Set(all)].join(' ').slice(0, MAX_WORDS_LENGTH) };
}

function textsOf(record: JsonRecord, ...keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const value = record[key];
    return typeof value === 'string' && value !== '' ? [storable(value)] : [];
  });
}
