import { type Entry, isEntry } from '../operations-api/operations-api.ts';
import type { Say } from '../texts/texts.ts';
import type { FileRecord } from '@gondola/shared/records/csv';
import { fieldsIn, referenceIn, wordOf } from './pages.ts';

/**
 * Adds to the app's findings the problems that only the whole file shows: a slug or a SKU that two products share
 * and, as a warning, several records of one product.
 */
export function withRepeats(records: readonly FileRecord[], checked: readonly Entry[], say: Say): Entry[] {
  const slugs = new Map<string, string>();
  const skus = new Map<string, string>();
  const lines = new Map<string, number>();
  return checked.map((entry, index) => {
    const { line = 0, text = '' } = records[index] ?? {};
    const record = fieldsIn(text);
    const reference = referenceIn(record);
    if (reference === null) return entry;
    const found = listOf(entry['errors']);
    const errors = [
      ...taken(slugs, wordOf(record['slug']), reference).map((hint) => ({
        field: 'slug',
        code: 'SLUG_TAKEN',
        message: say('preflightSlugTwice'),
        hint,
      })),
      // The app compares the records of one call.
      ...skusOf(record).flatMap((sku) =>
        found.some(
          (error) => isEntry(error) && error['code'] === 'REFERENCE_IMMUTABLE' && error['skuExternalReference'] === sku,
        )
          ? []
          : taken(skus, sku, reference).map((hint) => ({
              skuExternalReference: sku,
              field: 'externalReference',
              code: 'REFERENCE_IMMUTABLE',
              message: say('preflightSkuTwice'),
              hint,
            })),
      ),
    ];
    const before = lines.get(reference);
    lines.set(reference, before ?? line);
    const again = {
      field: 'externalReference',
      code: 'REPEATED',
      message: say('preflightRepeated'),
      hint: `:${before}`,
    };
    return {
      ...entry,
      outcome: errors.length > 0 && entry['outcome'] === 'valid' ? 'invalid' : entry['outcome'],
      errors: [...found, ...errors],
      warnings: [...listOf(entry['warnings']), ...(before === undefined ? [] : [again])],
    };
  });
}

/** First owner of a value, if it is a different one. */
function taken(owners: Map<string, string>, value: string | null, owner: string): string[] {
  if (value === null || value === '') return [];
  const first = owners.get(value) ?? owner;
  owners.set(value, first);
  return first === owner ? [] : [first];
}

function skusOf({ skus }: Entry): string[] {
  return listOf(skus).flatMap((sku) => (isEntry(sku) ? (referenceIn(sku) ?? []) : []));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
