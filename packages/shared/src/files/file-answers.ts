import type { JsonValue } from '../json/json-digits.ts';

/** `data` of the results of file commands that ask something (contract, "Results"). */

/** Of `ListFiles`. */
export interface ListedFiles {
  readonly urls: readonly string[];
}

/** Of `ReadInvoice`: what the platform answers is not documented, so it is handed on as far as it is JSON. */
export interface ReadInvoiceFile {
  /** Whether the order has its file. */
  readonly attached: boolean;
  readonly mediaType: string | null;
  readonly urls: readonly string[];
  readonly answer: JsonValue;
}
