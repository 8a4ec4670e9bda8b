/** Kinds of records in a file. */
export const RECORD_KINDS = ['product', 'brand', 'category', 'price', 'warehouse', 'stock'] as const;
