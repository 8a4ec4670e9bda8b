import { NATURAL_ORDER, ORDER_DELIVERED, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import type { TimelineEntry } from './order-parts.ts';

/** A status on an order's way, as a station. */
export interface Station {
  readonly code: number;
  readonly state: 'passed' | 'current' | 'ahead';
  /** When the status became known here; null for a station of which nothing was heard. */
  readonly at: string | null;
}

/** The way of an order that goes well. */
const WAY = NATURAL_ORDER.slice(NATURAL_ORDER.indexOf(PAYMENT_APPROVED), NATURAL_ORDER.indexOf(ORDER_DELIVERED) + 1);
/** Where other ways leave it. */
const OTHER_WAYS = NATURAL_ORDER.filter((code) => !WAY.includes(code));

/** The course of an order: where it was, where it is, and, while it goes well, what lies ahead. */
export function courseOf(current: number | null, timeline: readonly TimelineEntry[]): readonly Station[] {
  const heard = new Map<number, string>();
  for (const entry of timeline) {
    if (entry.kind !== 'fact' || entry.status === null) continue;
    if (!heard.has(entry.status.code)) heard.set(entry.status.code, entry.at);
  }
  const goesWell = current === null || WAY.includes(current);
  const way = goesWell ? WAY : [...WAY, ...OTHER_WAYS].filter((code) => code === current || heard.has(code));
  const place = current === null ? -1 : way.indexOf(current);
  return way.map((code, index) => ({
    code,
    state: index === place ? 'current' : index < place ? 'passed' : 'ahead',
    at: heard.get(code) ?? null,
  }));
}
