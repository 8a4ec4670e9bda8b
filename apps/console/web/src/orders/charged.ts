import type { OrderItem, TimelineEntry } from './order-parts.ts';

const RECALCULATED = 1_300;
/** Digits behind the point of a weight in kilograms. */
const GRAMS = 3;

/** True once the platform has recalculated the order by what was picked. */
export function isRecalculated(timeline: readonly TimelineEntry[]): boolean {
  return timeline.some((entry) => entry.kind === 'fact' && entry.error === null && entry.status?.code === RECALCULATED);
}

/** Weight for which the customer pays, by amount and price of a kilogram: the platform does not say what was picked. */
export function chargedKilograms({ unitOfMeasure, gross, salePrice }: OrderItem): string | null {
  if (unitOfMeasure !== 'Kg' || gross === null || salePrice === null || Number(salePrice) === 0) return null;
  const weight = Number(gross) / Number(salePrice);
  return Number.isFinite(weight) ? weight.toFixed(GRAMS) : null;
}

/** The last event by which the ERP has the items and amounts of the order. */
export function lastHeard(timeline: readonly TimelineEntry[]): Extract<TimelineEntry, { kind: 'event' }> | null {
  return timeline.findLast((entry) => entry.kind === 'event') ?? null;
}
