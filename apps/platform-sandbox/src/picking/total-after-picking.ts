import { Big } from 'big.js';
import type { Order } from '../orders/order.ts';
import { parseDecimal, priceCentsOf, rounded } from '../values/decimal.ts';

const ZERO = new Big(0);

interface Picked {
  readonly skuExternalReference: string;
  readonly quantity: string;
  readonly price?: string | undefined;
  readonly total?: string | undefined;
}

/** Cents of an order whose items were picked so: by quantity and price, unless a total is given; with its freight. */
export function totalAfterPicking(order: Order, items: readonly Picked[]): number {
  const open = [...items];
  const kept = order.lines.map((line) => {
    const at = open.findIndex(({ skuExternalReference }) => skuExternalReference === line.skuExternalReference);
    const [picked] = at === -1 ? [] : open.splice(at, 1);
    return picked === undefined ? line.totalCents : costOf(picked, line.unitPriceCents);
  });
  const added = open.map((picked) => costOf(picked, 0));
  const sum = [...kept, ...added].reduce((total, cents) => total + cents, 0);
  return Math.max(0, sum + order.freightCents - order.giftCardCents);
}

function costOf({ quantity, price, total }: Picked, unitPriceCents: number): number {
  if (total !== undefined) return rounded((parseDecimal(total) ?? ZERO).times(100));
  const cents = price === undefined ? unitPriceCents : (priceCentsOf(price) ?? 0);
  return rounded((parseDecimal(quantity) ?? ZERO).times(cents));
}
