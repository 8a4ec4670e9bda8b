import type { FileRecord } from './csv.ts';

/** An app accepts one mebibyte in a request, in which quotes are escaped. */
const PAGE_CHARACTERS = 250_000;

/** Splits records into calls of at most `most` records. */
export function pagesOf(records: readonly FileRecord[], most: number): FileRecord[][] {
  const pages: FileRecord[][] = [];
  let page: FileRecord[] = [];
  let characters = 0;
  for (const record of records) {
    if (page.length > 0 && (page.length === most || characters + record.text.length > PAGE_CHARACTERS)) {
      pages.push(page);
      page = [];
      characters = 0;
    }
    page.push(record);
    characters += record.text.length;
  }
  return page.length > 0 ? [...pages, page] : pages;
}

/** The `externalReference` of a record, a text or an integer, as text; null if its text has none. */
export function referenceIn(text: string): string | null {
  try {
    const record: unknown = JSON.parse(text);
    const reference: unknown =
      typeof record === 'object' && record !== null ? Reflect.get(record, 'externalReference') : null;
    if (Number.isSafeInteger(reference)) return String(reference);
    return typeof reference === 'string' ? reference : null;
  } catch {
    return null;
  }
}
