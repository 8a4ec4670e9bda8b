/**
 * Kinds of lane: at most one change is open at a time for a SKU's images, for an order's invoice file, and for
 * another entity's files.
 */
export const LANE_KINDS = ['sku-images', 'order-invoice', 'entity-files'] as const;

export type LaneKind = (typeof LANE_KINDS)[number];
