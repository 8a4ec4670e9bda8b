import type { JsonRecord } from '@gondola/shared/json/json-digits';

/**
 * How a record changed what the platform has: the body of it that entered with these SKUs, one that may have entered,
 * or nothing.
 */
export type Effect =
  | { readonly kind: 'entered'; readonly body: JsonRecord; readonly skus: ReadonlySet<string> }
  | { readonly kind: 'in-doubt'; readonly body: JsonRecord }
  | { readonly kind: 'none' };
