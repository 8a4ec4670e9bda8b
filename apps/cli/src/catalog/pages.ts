import { type Entry, isEntry, parsed, textOf } from '../operations-api/operations-api.ts';
import type { FileRecord } from '@gondola/shared/records/csv';

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

/** The fields of a record; none if its text is no JSON object. */
export function fieldsIn(text: string): Entry {
  const record = parsed(text);
  return isEntry(record) ? record : {};
}

/** The `externalReference` of a record; null if it has none. */
export function referenceIn({ externalReference }: Entry): string | null {
  return wordOf(externalReference);
}

/** Text without blanks around it, or an integer as the text of its digits (contract, "Values"). */
export function wordOf(value: unknown): string | null {
  return Number.isSafeInteger(value) ? String(value) : (textOf(value)?.trim() ?? null);
}
