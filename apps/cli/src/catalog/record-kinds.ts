/** What the records of a file can be about. */
export const RECORD_KINDS = ['product', 'brand', 'category', 'price', 'warehouse', 'stock'] as const;
